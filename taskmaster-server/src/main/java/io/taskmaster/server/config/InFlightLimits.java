package io.taskmaster.server.config;

/**
 * The limits on requests in flight of both ports together. Immutable.
 *
 * @param requests the maximum number of requests without a reply, long polls included
 * @param bytes memory for their contents and replies
 */
public record InFlightLimits(int requests, long bytes) {

    static final int MAX_REQUESTS = 10_000_000;

    public InFlightLimits {
        Setting.IN_FLIGHT_REQUESTS.checkWithin(requests, 1, MAX_REQUESTS);
        // With less, a request within every limit of the contract could never be admitted.
        Setting.IN_FLIGHT_BYTES.checkWithin(bytes, (long) Limits.MESSAGE_BYTES, Long.MAX_VALUE);
    }

    static InFlightLimits of(SettingValues values) {
        return new InFlightLimits(values.integer(Setting.IN_FLIGHT_REQUESTS), values.bytes(Setting.IN_FLIGHT_BYTES));
    }
}
