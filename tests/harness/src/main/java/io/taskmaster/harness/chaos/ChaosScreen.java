package io.taskmaster.harness.chaos;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The output of a run: lines that stay, and below them a line that is overwritten. It keeps the lines that stay.
 * Thread-safe.
 */
final class ChaosScreen {

    private static final String REWRITE = "\r\u001b[K";

    private final PrintWriter lines;
    private final PrintWriter live;
    private final boolean isTerminal;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final List<String> scrollback = new ArrayList<>();

    /** @param isTerminal whether {@code live} can be overwritten; otherwise nothing is written to it */
    ChaosScreen(PrintWriter lines, PrintWriter live, boolean isTerminal) {
        this.lines = lines;
        this.live = live;
        this.isTerminal = isTerminal;
    }

    void line(String text) {
        lock.lock();
        try {
            clear();
            scrollback.add(text);
            lines.println(text);
            lines.flush();
        } finally {
            lock.unlock();
        }
    }

    void live(String text) {
        lock.lock();
        try {
            if (isTerminal) {
                live.print(REWRITE + text);
                live.flush();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns all lines, in their order. */
    List<String> scrollback() {
        lock.lock();
        try {
            return List.copyOf(scrollback);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void clear() {
        if (isTerminal) {
            live.print(REWRITE);
            live.flush();
        }
    }
}
