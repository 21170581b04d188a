package io.taskmaster.cli.screen;

/**
 * A key that was pressed. Immutable.
 *
 * @param code the character, or the code that a terminal sends for a key without one
 */
public record Key(int code) {

    /** The end of the input: no more keys follow. */
    public static final Key END = new Key(-1);

    public static final Key INTERRUPT = new Key(3);
    public static final Key ENTER = new Key('\r');
    public static final Key ESCAPE = new Key(27);
    public static final Key BACKSPACE = new Key(127);

    /** Returns whether the key enters a character into a text. */
    public boolean isPrintable() {
        return code >= ' ' && !Character.isISOControl(code);
    }
}
