package io.taskmaster.proxy.http;

/**
 * Exception of a request whose answer has no receiver any more: the client disconnected, or the port is being closed.
 */
final class CallerGoneException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    CallerGoneException(String reason) {
        super(reason, null, false, false);
    }
}
