package io.taskmaster.stage.steering;

import io.taskmaster.stage.control.Sample;
import java.util.concurrent.atomic.LongAdder;

/** Counts what the workers of a stage do, for its controllers. Thread-safe, but for {@link #sample}. */
public final class Watch {

    private final LongAdder done = new LongAdder();
    private final LongAdder busyNanos = new LongAdder();
    private final LongAdder turnedAway = new LongAdder();

    /** At the last sample. */
    private long doneThen;

    private long busyNanosThen;
    private long turnedAwayThen;
    private long thenNanos;

    public Watch(long nowNanos) {
        thenNanos = nowNanos;
    }

    /** A handler was done with some events. */
    public void handled(int count, long tookNanos) {
        if (count > 0) {
            done.add(count);
            busyNanos.add(tookNanos);
        }
    }

    /** An event found no room, or was not let in. */
    public void turnedAway() {
        turnedAway.increment();
    }

    /** What was done since the last one. Not by two threads at once. */
    public Sample sample(long nowNanos, long waiting, int atWork) {
        long doneNow = done.sum();
        long busyNanosNow = busyNanos.sum();
        long turnedAwayNow = turnedAway.sum();
        Sample sample = new Sample(
                Math.max(1, nowNanos - thenNanos),
                doneNow - doneThen,
                busyNanosNow - busyNanosThen,
                waiting,
                turnedAwayNow - turnedAwayThen,
                atWork);
        doneThen = doneNow;
        busyNanosThen = busyNanosNow;
        turnedAwayThen = turnedAwayNow;
        thenNanos = nowNanos;
        return sample;
    }
}
