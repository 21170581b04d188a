package io.taskmaster.cli.screen;

import java.io.IOException;
import java.util.Optional;

/**
 * A decoder of a terminal's input into keys. Keys that send a sequence, such as arrows, are skipped. Single-threaded.
 */
final class Keyboard {

    /** The timeout within a sequence, whose characters come together; a user types more slowly. */
    private static final long SEQUENCE_MILLIS = 50;

    /** The timeout of a wait for a key. */
    private static final long KEY_TIMEOUT_MILLIS = 100;

    private static final int NO_INPUT = -2;
    private static final int NEWLINE = '\n';
    private static final int CONTROL_H = 8;

    /** A source of characters. */
    interface Source {

        /**
         * Returns the next character; -1 at the end of the input, -2 after the timeout.
         *
         * @param millis the timeout
         */
        int read(long millis) throws IOException;
    }

    private final Source source;

    Keyboard(Source source) {
        this.source = source;
    }

    /** Returns the next key; empty after the timeout, or for a key that is not known. Blocks. */
    Optional<Key> next() throws IOException {
        int first = source.read(KEY_TIMEOUT_MILLIS);
        return switch (first) {
            case -1 -> Optional.of(Key.END);
            case NO_INPUT -> Optional.empty();
            case NEWLINE -> Optional.of(Key.ENTER);
            case CONTROL_H -> Optional.of(Key.BACKSPACE);
            case 27 -> escape();
            default ->
                Character.isHighSurrogate((char) first)
                        ? Optional.of(new Key(Character.toCodePoint((char) first, (char) source.read(SEQUENCE_MILLIS))))
                        : Optional.of(new Key(first));
        };
    }

    /** Returns the escape key itself, if nothing follows at once. */
    private Optional<Key> escape() throws IOException {
        int next = source.read(SEQUENCE_MILLIS);
        if (next < 0) {
            return Optional.of(Key.ESCAPE);
        }
        boolean isLong = next == '[' || next == 'O';
        while (isLong) {
            next = source.read(SEQUENCE_MILLIS);
            // A letter or '~' ends it; digits and separators do not.
            isLong = next >= 0 && next < '@';
        }
        return Optional.empty();
    }
}
