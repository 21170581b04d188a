package io.taskmaster.stage.local;

import io.taskmaster.stage.steering.Lever;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How the handler of a stage gets its events: one by one, or some together. Thread-safe. */
sealed interface Handling<E> permits OneByOne, Together {

    /** Where events come from. */
    @FunctionalInterface
    interface Source<E> {

        /** Null: there is none. */
        @Nullable
        E next();
    }

    /** Takes an event, or some, and handles them; whatever the handler throws. False if there were none. */
    boolean turn(Source<E> source);

    /** How many events the handler gets at most, together. */
    int maxBatch();

    /** Who decides on that, if somebody does. */
    default Optional<Lever> batching() {
        return Optional.empty();
    }

    /** An interrupt that a handler has met is its thread's. */
    static void keepInterrupt(Throwable thrown) {
        if (thrown instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
    }
}
