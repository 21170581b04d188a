package io.taskmaster.server.engine.pattern;

/** A pattern of queue names that is not taken. */
public final class BadPatternException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final String expected;

    BadPatternException(String expected) {
        super(expected, null, false, false);
        this.expected = expected;
    }

    /** What would be taken. */
    public String expected() {
        return expected;
    }
}
