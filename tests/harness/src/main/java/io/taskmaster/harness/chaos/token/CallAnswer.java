package io.taskmaster.harness.chaos.token;

import java.util.Optional;

/** The outcome of a call, as far as a worker needs it to decide how to proceed. Immutable. */
public sealed interface CallAnswer<T> {

    /** A reply. */
    record Known<T>(T reply) implements CallAnswer<T> {}

    /** A refusal: the call was not applied. */
    record Refused<T>() implements CallAnswer<T> {}

    /** An unknown outcome: the call may have been applied, or may yet be. */
    record Unknown<T>() implements CallAnswer<T> {}

    default Optional<T> known() {
        return switch (this) {
            case Known<T>(T reply) -> Optional.of(reply);
            case Refused<T> _, Unknown<T> _ -> Optional.empty();
        };
    }
}
