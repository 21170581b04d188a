package io.taskmaster.stage.local;

import io.taskmaster.stage.steering.Actuator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The way in which the handler of a stage gets its events: one by one, or in batches. Thread-safe. */
sealed interface Handling<E> permits SingleHandling, BatchHandling {

    /** A supply of events. */
    @FunctionalInterface
    interface Source<E> {

        /** Takes the next event; null if there is none. */
        @Nullable
        E next();
    }

    /**
     * Takes one event or a batch, and handles it. Exceptions of the handler drop its events and go no further. Returns
     * false if there were no events.
     */
    boolean handleNext(Source<E> source);

    /** The most events that the handler gets together. */
    int maxBatch();

    /** The lever of the controller that sets the batch size; empty if there is no controller. */
    default Optional<Actuator> batching() {
        return Optional.empty();
    }

    /** Restores the interrupt that a handler has consumed. */
    static void keepInterrupt(Throwable thrown) {
        if (thrown instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
    }
}
