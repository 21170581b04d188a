package io.taskmaster.testkit.chaos;

import java.util.Optional;

/** What came of a call, for the one who has to decide how to go on. Immutable. */
sealed interface Answer<T> {

    /** It was answered. */
    record Known<T>(T reply) implements Answer<T> {}

    /** It was refused, and nothing was done. */
    record Refused<T>() implements Answer<T> {}

    /** It may have been done, or may yet be. */
    record Unknown<T>() implements Answer<T> {}

    default Optional<T> known() {
        return switch (this) {
            case Known<T>(T reply) -> Optional.of(reply);
            case Refused<T> _, Unknown<T> _ -> Optional.empty();
        };
    }
}
