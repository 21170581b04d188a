package io.taskmaster.server.json;

/** A value that is not what its field takes. Whoever knows where it was found says so. */
final class BadValueException extends Exception {

    private static final long serialVersionUID = 1L;

    private final String value;
    private final String expected;

    BadValueException(String value, String expected) {
        super(null, null, false, false);
        this.value = value;
        this.expected = expected;
    }

    String value() {
        return value;
    }

    String expected() {
        return expected;
    }
}
