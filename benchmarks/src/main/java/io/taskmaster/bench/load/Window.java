package io.taskmaster.bench.load;

import java.time.Duration;

/**
 * The time in which completions are measured, in nanoseconds of {@link System#nanoTime()}, relative to its start. The end can be
 * brought forward by anybody who finds that there is nothing left to do. Thread-safe.
 */
final class Window {

    private final long originNanos;
    private final long fromNanos;
    private volatile long endNanos;

    Window(long originNanos, Timing timing) {
        this.originNanos = originNanos;
        this.fromNanos = timing.warmup().toNanos();
        this.endNanos = fromNanos + timing.measured().toNanos();
    }

    boolean measures(long nowNanos) {
        long elapsedNanos = nowNanos - originNanos;
        return elapsedNanos >= fromNanos && elapsedNanos < endNanos;
    }

    boolean isOver(long nowNanos) {
        return nowNanos - originNanos >= endNanos;
    }

    /** Ends the window now, if it would have ended later. */
    synchronized void end(long nowNanos) {
        endNanos = Math.min(endNanos, nowNanos - originNanos);
    }

    /** How long the window was open; zero if it ended before it began. */
    Duration length() {
        return Duration.ofNanos(Math.max(0, endNanos - fromNanos));
    }
}
