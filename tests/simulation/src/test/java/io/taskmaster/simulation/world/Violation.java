package io.taskmaster.simulation.world;

/** A broken promise or invariant in a simulated run. */
public final class Violation extends AssertionError {

    private static final long serialVersionUID = 1L;

    public Violation(String message) {
        super(message);
    }

    public Violation(String message, Throwable cause) {
        super(message, cause);
    }
}
