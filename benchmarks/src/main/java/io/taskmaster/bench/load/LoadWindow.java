package io.taskmaster.bench.load;

import java.time.Duration;

/**
 * The measured time of a load, in nanoseconds of {@link System#nanoTime()} relative to the start of the load. A lane
 * that finds no work left, or a caller, can end it early. Thread-safe.
 */
final class LoadWindow {

    private final long originNanos;
    private final long fromNanos;
    private volatile long endNanos;

    LoadWindow(long originNanos, Timing timing) {
        this.originNanos = originNanos;
        this.fromNanos = timing.warmup().toNanos();
        this.endNanos = fromNanos + timing.measured().toNanos();
    }

    boolean measures(long nowNanos) {
        long elapsedNanos = nowNanos - originNanos;
        return elapsedNanos >= fromNanos && elapsedNanos < endNanos;
    }

    boolean isEnded(long nowNanos) {
        return nowNanos - originNanos >= endNanos;
    }

    /** Ends the window now unless it has ended before. */
    synchronized void end(long nowNanos) {
        endNanos = Math.min(endNanos, nowNanos - originNanos);
    }

    /** The duration of the measured time; zero if the window ended before its warm-up did. */
    Duration length() {
        return Duration.ofNanos(Math.max(0, endNanos - fromNanos));
    }
}
