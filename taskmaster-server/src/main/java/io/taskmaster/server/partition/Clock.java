package io.taskmaster.server.partition;

/** The clocks of a machine; the only place where they are read. Thread-safe. */
public interface Clock {

    /** Milliseconds since 1970; may jump. */
    long wallMillis();

    /** Nanoseconds since some instant; never goes back. */
    long nanos();

    /**
     * Nanoseconds that pass for leases and delays, since some instant; never goes back. Those of {@link #nanos}, unless a test lets time
     * stand still.
     */
    default long elapsedNanos() {
        return nanos();
    }

    /** The clocks of this machine. */
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
