package io.taskmaster.cli.screen;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A screen that is drawn as a whole, and its keyboard. Single-threaded but for {@link #wake}. */
public interface Screen extends AutoCloseable {

    /** The current size, in characters. Immutable. */
    record Size(int width, int height) {}

    /** The style of a line. */
    enum Style {
        PLAIN,
        BOLD,
        /** Inverse colors. */
        REVERSE
    }

    /** A line of text, no wider than the screen. Immutable. */
    record Line(String text, Style style) {

        public static Line plain(String text) {
            return new Line(text, Style.PLAIN);
        }
    }

    Size size();

    /** Draws these lines from the top, and clears the rest. */
    void show(List<Line> lines);

    /** Waits for a key; empty after the timeout, after {@link #wake}, or when the size has changed. Blocks. */
    Optional<Key> next(Duration timeout);

    /** Ends a wait, the current one or the next. Thread-safe. */
    void wake();

    /** Restores the terminal. Idempotent. */
    @Override
    void close();
}
