package io.taskmaster.examples.demo;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * A display of the progress of a demo: one live line on a terminal, otherwise a plain line now and then.
 * Single-threaded.
 */
final class ProgressLine {

    private static final Duration PLAIN_EVERY = Duration.ofSeconds(1);
    private static final String REWRITE = "\r\u001b[K";

    private final PrintWriter out;
    private final boolean live;
    private final LongSupplier nanos;
    private long lastNanos;
    private boolean anything;

    /**
     * Creates a display.
     *
     * @param live whether the line can be overwritten
     * @param nanos the monotonic time, from any origin
     */
    ProgressLine(PrintWriter out, boolean live, LongSupplier nanos) {
        this.out = out;
        this.live = live;
        this.nanos = nanos;
    }

    void show(String line) {
        long time = nanos.getAsLong();
        if (!live && anything && time - lastNanos < PLAIN_EVERY.toNanos()) {
            return;
        }
        lastNanos = time;
        anything = true;
        out.print(live ? REWRITE + line : line + System.lineSeparator());
        out.flush();
    }

    /** Moves the terminal to a new line. */
    void end() {
        if (live && anything) {
            out.print(REWRITE);
            out.flush();
        }
    }
}
