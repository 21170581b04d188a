package io.taskmaster.server.overload;

/**
 * A line of limited bandwidth, FIFO: bytes that come while it is busy wait behind those before. Idle time is lost.
 * Single-threaded: owned by the holder of its guard.
 */
final class Bandwidth {

    private static final double NANOS_PER_SECOND = 1e9;

    private final double nanosPerByte;
    private long freeAtNanos;

    /**
     * Creates an idle line.
     *
     * @param nowNanos the current time, on the clock of all later times
     */
    Bandwidth(long bytesPerSecond, long nowNanos) {
        this.nanosPerByte = NANOS_PER_SECOND / bytesPerSecond;
        this.freeAtNanos = nowNanos;
    }

    /** Adds bytes to the line. Returns the time when the last of them is through. */
    long take(long bytes, long nowNanos) {
        // The clock may be negative, and overflow: only differences count.
        long waitNanos = Math.max(0, freeAtNanos - nowNanos);
        freeAtNanos = nowNanos + waitNanos + Math.round(bytes * nanosPerByte);
        return freeAtNanos;
    }
}
