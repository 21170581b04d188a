package io.taskmaster.server.overload;

/**
 * A line that takes so many bytes a second, one after the other: who comes while it is busy waits behind those who came before.
 * Time that nobody used is lost. Single-threaded: owned by whoever guards it.
 */
final class Bandwidth {

    private static final double NANOS_PER_SECOND = 1e9;

    private final double nanosPerByte;
    private long freeAtNanos;

    /**
     * @param nowNanos the time now, on the clock that all later times are from
     */
    Bandwidth(long bytesPerSecond, long nowNanos) {
        this.nanosPerByte = NANOS_PER_SECOND / bytesPerSecond;
        this.freeAtNanos = nowNanos;
    }

    /** Puts so many bytes in line; when the last of them is through. */
    long take(long bytes, long nowNanos) {
        // The clock may be negative, and wrap: only differences count.
        long waitNanos = Math.max(0, freeAtNanos - nowNanos);
        freeAtNanos = nowNanos + waitNanos + Math.round(bytes * nanosPerByte);
        return freeAtNanos;
    }
}
