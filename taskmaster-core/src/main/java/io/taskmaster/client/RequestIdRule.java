package io.taskmaster.client;

import io.taskmaster.model.Bytes;
import java.security.SecureRandom;
import java.util.function.Supplier;

/**
 * Gives updates their request ids. Thread-safe if its source is.
 *
 * @param source a new id with every call
 */
record RequestIdRule(RequestIds which, Supplier<RequestId> source) {

    /** Two clients never draw the same: a generator seeded with less than the ids are long would not promise that. */
    private static final SecureRandom RANDOM = new SecureRandom();

    private static final int BYTES = 16;

    /** With random ids. */
    static RequestIdRule of(RequestIds which) {
        return new RequestIdRule(which, RequestIdRule::random);
    }

    /** The update as it is sent, in every attempt. */
    Update identify(Update update) {
        boolean needed = update.requestId().isEmpty()
                && switch (which) {
                    case NEVER -> false;
                    case WHERE_NEEDED -> !update.isIdempotent();
                    case ALWAYS -> true;
                };
        return needed ? update.requestId(source.get()) : update;
    }

    /** The operation as it is sent, in every attempt. */
    BatchOperation identify(BatchOperation operation) {
        return switch (operation) {
            case Update update -> identify(update);
            case LeaseRequest lease -> lease;
        };
    }

    private static RequestId random() {
        byte[] bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return new RequestId(Bytes.wrap(bytes));
    }
}
