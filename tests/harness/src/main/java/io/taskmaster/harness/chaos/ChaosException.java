package io.taskmaster.harness.chaos;

/** An exception for a run that could not begin: there is no verdict. */
final class ChaosException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    ChaosException(String message, Exception cause) {
        super(message, cause);
    }
}
