package io.taskmaster.harness.hbase.cli;

import java.io.PrintWriter;
import java.util.function.Consumer;

/**
 * A line of progress on standard error that the next one overwrites, if that is a terminal; nothing otherwise.
 * Single-threaded.
 */
final class StartProgress implements Consumer<String>, AutoCloseable {

    private static final String REWRITE = "\r\u001b[K";
    private static final int WIDTH = 100;

    private final PrintWriter err;
    private final boolean isTerminal = Boolean.getBoolean("taskmaster.terminal");
    private final long startNanos = System.nanoTime();

    StartProgress(PrintWriter err) {
        this.err = err;
    }

    @Override
    public void accept(String stage) {
        if (isTerminal) {
            String text = stage.length() <= WIDTH ? stage : stage.substring(0, WIDTH - 1) + "…";
            err.printf("%s%3d s  %s", REWRITE, seconds(), text);
            err.flush();
        }
    }

    /** Returns the seconds since the beginning. */
    long seconds() {
        return (System.nanoTime() - startNanos) / 1_000_000_000;
    }

    @Override
    public void close() {
        if (isTerminal) {
            err.print(REWRITE);
            err.flush();
        }
    }
}
