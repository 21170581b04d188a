package io.taskmaster.proxy.config;

/**
 * The limits on requests in flight of both ports together. Immutable.
 *
 * @param requests the maximum number of requests without a reply, long polls included
 * @param bytes memory for their contents and replies
 */
public record InFlightLimits(int requests, long bytes) {

    static final int MAX_REQUESTS = 10_000_000;

    public InFlightLimits {
        PortSetting.IN_FLIGHT_REQUESTS.checkWithin(requests, 1, MAX_REQUESTS);
        // With less, a request within every limit of the contract could never be admitted.
        PortSetting.IN_FLIGHT_BYTES.checkWithin(bytes, (long) Limits.MESSAGE_BYTES, Long.MAX_VALUE);
    }

    /** Returns the validated values. */
    public static InFlightLimits of(SettingValues values) {
        return new InFlightLimits(
                values.integer(PortSetting.IN_FLIGHT_REQUESTS), values.bytes(PortSetting.IN_FLIGHT_BYTES));
    }
}
