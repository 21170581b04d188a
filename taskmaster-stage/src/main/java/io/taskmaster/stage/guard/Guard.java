package io.taskmaster.stage.guard;

import static java.util.Objects.requireNonNull;

import java.util.function.Supplier;

/**
 * A guard around the calls of application code for one stage. Whatever that throws is logged as a warning, and the
 * stage goes on. Thread-safe.
 */
@SuppressWarnings("CatchingUnchecked") // That is what it is for.
public final class Guard {

    private final Warnings warnings;

    public Guard(Warnings warnings) {
        this.warnings = warnings;
    }

    /**
     * Runs a call. Never throws.
     *
     * @param description the name of the callee for the log; one of a fixed set
     */
    public void run(String description, Runnable call) {
        try {
            call.run();
        } catch (Throwable thrown) {
            failed(description, thrown);
        }
    }

    /**
     * Returns the result of a call. Never throws.
     *
     * @param description the name of the callee for the log; one of a fixed set
     * @param fallback the result if the call throws or returns null
     */
    public <R> R get(String description, Supplier<? extends R> call, R fallback) {
        try {
            return requireNonNull(call.get(), "the result");
        } catch (Throwable thrown) {
            failed(description, thrown);
            return fallback;
        }
    }

    private void failed(String description, Throwable thrown) {
        warnings.warn(description, description + " threw an exception; the stage continues", thrown);
    }
}
