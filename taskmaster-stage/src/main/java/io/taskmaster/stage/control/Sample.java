package io.taskmaster.stage.control;

/**
 * What a stage did in an interval, or in some that follow each other. Immutable.
 *
 * @param spanNanos how long it was; above 0
 * @param done events that its handlers were done with, to whatever end
 * @param busyNanos what handlers took for those, all together
 * @param waiting events in line, at its end
 * @param turnedAway events that came and found no room, or were not let in
 * @param atWork workers at work, or called, at its end
 */
public record Sample(long spanNanos, long done, long busyNanos, long waiting, long turnedAway, int atWork) {

    private static final double NANOS_PER_SECOND = 1e9;

    public Sample {
        if (spanNanos <= 0) {
            throw new IllegalArgumentException("spanNanos: %d (expected: above 0)".formatted(spanNanos));
        }
    }

    /** Both intervals as one. */
    public Sample then(Sample next) {
        return new Sample(
                spanNanos + next.spanNanos,
                done + next.done,
                busyNanos + next.busyNanos,
                next.waiting,
                turnedAway + next.turnedAway,
                next.atWork);
    }

    /** The same, with so many more in line. */
    public Sample waitingToo(long more) {
        return new Sample(spanNanos, done, busyNanos, waiting + more, turnedAway, atWork);
    }

    /** The same in the time of one worker that is always busy: handlers that end seldom, many events at once, do not make it uneven. */
    Sample whileBusy() {
        return new Sample(Math.max(1, busyNanos), done, busyNanos, waiting, turnedAway, atWork);
    }

    /** Events done in a second. */
    public double perSecond() {
        return done * NANOS_PER_SECOND / spanNanos;
    }

    /** How many workers were busy, on average: more than there are, if handlers ended that had begun before. */
    public double busy() {
        return (double) busyNanos / spanNanos;
    }

    /** How long a handler took for an event, on average; 0 if none ended. */
    public double serviceNanos() {
        return done == 0 ? 0 : (double) busyNanos / done;
    }

    /** How long the last in line is going to wait at this rate (Little's law): for ever, if nothing was done. */
    public double waitNanos() {
        return waiting == 0 ? 0 : (double) waiting * spanNanos / done;
    }
}
