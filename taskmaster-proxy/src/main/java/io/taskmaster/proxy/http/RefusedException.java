package io.taskmaster.proxy.http;

/** Exception for a request that is answered before it was read to its end; carries the answer. */
final class RefusedException extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient Response response;

    RefusedException(Response response) {
        super("refused", null, false, false);
        this.response = response;
    }

    RefusedException(HttpFailure httpFailure) {
        this(Response.of(httpFailure));
    }

    Response response() {
        return response;
    }
}
