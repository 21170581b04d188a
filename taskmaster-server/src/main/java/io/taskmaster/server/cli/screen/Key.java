package io.taskmaster.server.cli.screen;

/**
 * A key that was pressed. Immutable.
 *
 * @param code the character, or what a terminal sends for a key that has none
 */
public record Key(int code) {

    /** There will be no more: whoever typed has gone. */
    public static final Key END = new Key(-1);

    public static final Key INTERRUPT = new Key(3);
    public static final Key ENTER = new Key('\r');
    public static final Key ESCAPE = new Key(27);
    public static final Key BACKSPACE = new Key(127);

    /** Whether it stands for itself in a text. */
    public boolean isPrintable() {
        return code >= ' ' && !Character.isISOControl(code);
    }
}
