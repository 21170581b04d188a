package io.taskmaster.client;

import io.taskmaster.model.Bytes;
import java.security.SecureRandom;
import java.util.function.Supplier;

/**
 * The rule by which a client assigns request ids to updates. Thread-safe if its source is.
 *
 * @param policy the updates that get an id
 * @param source returns a new id with each call
 */
record RequestIdRule(RequestIds policy, Supplier<RequestId> source) {

    /**
     * The source of ids. It has to be secure: a generator seeded with fewer bits than an id has could draw the same ids
     * in two clients.
     */
    private static final SecureRandom RANDOM = new SecureRandom();

    private static final int BYTES = 16;

    /** Returns a rule with random ids. */
    static RequestIdRule of(RequestIds policy) {
        return new RequestIdRule(policy, RequestIdRule::random);
    }

    /** Returns the update as every attempt sends it. */
    Update identify(Update update) {
        boolean needed = update.requestId().isEmpty()
                && switch (policy) {
                    case NEVER -> false;
                    case WHERE_NEEDED -> !update.isIdempotent();
                    case ALWAYS -> true;
                };
        return needed ? update.requestId(source.get()) : update;
    }

    /** Returns the operation as every attempt sends it. */
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
