package io.taskmaster.proxy.json;

/**
 * Exception for a value that does not fit its field. The catcher that knows the path of the field turns it into a
 * refusal.
 */
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
