package io.taskmaster.server.cli.screen;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A screen that is drawn as a whole, and its keyboard. Single-threaded, but for {@link #wake}. */
public interface Screen extends AutoCloseable {

    /** In characters, as it is now. */
    record Size(int width, int height) {}

    /** How a line stands out. */
    enum Style {
        PLAIN,
        BOLD,
        /** Light on dark where others are dark on light. */
        REVERSE
    }

    /** A line of text, no wider than the screen. */
    record Line(String text, Style style) {

        public static Line plain(String text) {
            return new Line(text, Style.PLAIN);
        }
    }

    Size size();

    /** Draws these lines from the top, and nothing below. */
    void show(List<Line> lines);

    /** Waits for a key; nothing if the time is up, somebody {@linkplain #wake woke} it, or the size is another one. Blocks. */
    Optional<Key> next(Duration atMost);

    /** Ends a wait, this one or the next. Thread-safe. */
    void wake();

    /** Leaves the terminal as it was found. Idempotent. */
    @Override
    void close();
}
