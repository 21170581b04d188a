package io.taskmaster.testkit.chaos;

import java.util.Optional;

/** The outcome of a call, as far as a worker needs it to decide how to proceed. Immutable. */
sealed interface Answer<T> {

    /** A reply. */
    record Known<T>(T reply) implements Answer<T> {}

    /** A refusal: the call was not applied. */
    record Refused<T>() implements Answer<T> {}

    /** An unknown outcome: the call may have been applied, or may yet be. */
    record Unknown<T>() implements Answer<T> {}

    default Optional<T> known() {
        return switch (this) {
            case Known<T>(T reply) -> Optional.of(reply);
            case Refused<T> _, Unknown<T> _ -> Optional.empty();
        };
    }
}
