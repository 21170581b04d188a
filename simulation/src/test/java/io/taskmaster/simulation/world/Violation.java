package io.taskmaster.simulation;

/** A promise that was broken in a simulated world. */
final class Violation extends AssertionError {

    private static final long serialVersionUID = 1L;

    Violation(String message) {
        super(message);
    }

    Violation(String message, Throwable cause) {
        super(message, cause);
    }
}
