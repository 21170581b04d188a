package io.taskmaster.stage.guard;

import static java.util.Objects.requireNonNull;

import java.util.function.Supplier;

/** Calls code of the application for one stage: whatever it throws, the stage goes on, and there is a warning. Thread-safe. */
@SuppressWarnings("CatchingUnchecked") // That is what it is for.
public final class Guard {

    private final Warnings warnings;

    public Guard(Warnings warnings) {
        this.warnings = warnings;
    }

    /**
     * @param what is called, as the log is to name it; one of a fixed set
     */
    public void run(String what, Runnable call) {
        try {
            call.run();
        } catch (Throwable thrown) {
            failed(what, thrown);
        }
    }

    /**
     * @param what is called, as the log is to name it; one of a fixed set
     * @param otherwise the result if there is none
     */
    public <R> R get(String what, Supplier<? extends R> call, R otherwise) {
        try {
            return requireNonNull(call.get(), "the result");
        } catch (Throwable thrown) {
            failed(what, thrown);
            return otherwise;
        }
    }

    private void failed(String what, Throwable thrown) {
        warnings.warn(what, what + ": failed, the stage goes on without", thrown);
    }
}
