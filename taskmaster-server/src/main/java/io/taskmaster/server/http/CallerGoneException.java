package io.taskmaster.server.http;

/** Nobody waits for the answer any more: the caller hung up, or the port is being closed. */
final class CallerGoneException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    CallerGoneException(String why) {
        super(why, null, false, false);
    }
}
