package io.taskmaster.time;

/** The clocks of a machine; the only place where the server and its ports read them. Thread-safe. */
public interface Clock {

    /** Returns milliseconds since 1970; may jump. */
    long wallMillis();

    /** Returns nanoseconds since some instant; never goes back. */
    long nanos();

    /**
     * Returns the nanoseconds that pass for leases and delays, since some instant; never goes back. The same as
     * {@link #nanos}, unless a test stops time.
     */
    default long elapsedNanos() {
        return nanos();
    }

    /** Returns the clocks of this machine. */
    static Clock system() {
        return new Clock() {
            @Override
            public long wallMillis() {
                return System.currentTimeMillis();
            }

            @Override
            public long nanos() {
                return System.nanoTime();
            }
        };
    }
}
