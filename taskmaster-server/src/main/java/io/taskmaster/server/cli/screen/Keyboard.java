package io.taskmaster.server.cli.screen;

import java.io.IOException;
import java.util.Optional;

/** What a terminal sends, as keys. Those that send a sequence, such as arrows, are read over. Single-threaded. */
final class Keyboard {

    /** Of a sequence the characters come together; a person is slower. */
    private static final long SEQUENCE_MILLIS = 50;

    /** So long a key is waited for at a time. */
    private static final long PATIENCE_MILLIS = 100;

    private static final int NOTHING = -2;
    private static final int NEWLINE = '\n';
    private static final int CONTROL_H = 8;

    /** Where characters come from. */
    interface Source {

        /**
         * The next one; -1: there are no more, -2: none has come in time.
         *
         * @param millis how long to wait for it
         */
        int read(long millis) throws IOException;
    }

    private final Source source;

    Keyboard(Source source) {
        this.source = source;
    }

    /** The next key; nothing if none came for a while, or one that we do not know. Blocks. */
    Optional<Key> next() throws IOException {
        int first = source.read(PATIENCE_MILLIS);
        return switch (first) {
            case -1 -> Optional.of(Key.END);
            case NOTHING -> Optional.empty();
            case NEWLINE -> Optional.of(Key.ENTER);
            case CONTROL_H -> Optional.of(Key.BACKSPACE);
            case 27 -> escape();
            default ->
                Character.isHighSurrogate((char) first)
                        ? Optional.of(new Key(Character.toCodePoint((char) first, (char) source.read(SEQUENCE_MILLIS))))
                        : Optional.of(new Key(first));
        };
    }

    /** The key itself, if nothing follows at once. */
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
