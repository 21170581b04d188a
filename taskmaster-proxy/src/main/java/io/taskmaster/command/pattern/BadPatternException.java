package io.taskmaster.command.pattern;

/** The refusal of a pattern of queue names. */
public final class BadPatternException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final String expected;

    BadPatternException(String expected) {
        super(expected, null, false, false);
        this.expected = expected;
    }

    /** The description of what would be accepted. */
    public String expected() {
        return expected;
    }
}
