package io.taskmaster.stage.control;

/**
 * A sample of a stage's work in an interval, or in several consecutive ones. Immutable.
 *
 * @param spanNanos the length of the interval; above 0
 * @param done the number of events whose handlers have ended, normally or not
 * @param busyNanos the time that handlers took for those, all together
 * @param waiting the number of events in line at the end of the interval
 * @param turnedAway the number of events that found no credits, or were not admitted
 * @param atWork the number of workers at work, or called, at the end of the interval
 */
public record Sample(long spanNanos, long done, long busyNanos, long waiting, long turnedAway, int atWork) {

    private static final double NANOS_PER_SECOND = 1e9;

    public Sample {
        if (spanNanos <= 0) {
            throw new IllegalArgumentException("spanNanos: %d (expected: above 0)".formatted(spanNanos));
        }
    }

    /** Returns both intervals as one. */
    public Sample then(Sample next) {
        return new Sample(
                spanNanos + next.spanNanos,
                done + next.done,
                busyNanos + next.busyNanos,
                next.waiting,
                turnedAway + next.turnedAway,
                next.atWork);
    }

    /** Returns the same with more events in line. */
    public Sample waitingToo(long more) {
        return new Sample(spanNanos, done, busyNanos, waiting + more, turnedAway, atWork);
    }

    /**
     * Returns the same in the time of one worker that is always busy. Handlers that end seldom, with many events at
     * once, do not make that uneven.
     */
    Sample whileBusy() {
        return new Sample(Math.max(1, busyNanos), done, busyNanos, waiting, turnedAway, atWork);
    }

    /** The rate of events done, per second. */
    public double perSecond() {
        return done * NANOS_PER_SECOND / spanNanos;
    }

    /**
     * The mean number of busy workers. It exceeds the number of workers if handlers have ended that began before the
     * interval.
     */
    public double busy() {
        return (double) busyNanos / spanNanos;
    }

    /** The mean time of a handler for an event, in nanoseconds; 0 if none ended. */
    public double serviceNanos() {
        return done == 0 ? 0 : (double) busyNanos / done;
    }

    /**
     * The time that the last event in line is going to wait at this rate (Little's law), in nanoseconds; infinite if
     * nothing was done.
     */
    public double waitNanos() {
        return waiting == 0 ? 0 : (double) waiting * spanNanos / done;
    }
}
