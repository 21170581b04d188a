package io.taskmaster.stage.steering;

import io.taskmaster.stage.control.Sample;
import java.util.concurrent.atomic.LongAdder;

/** The measurements of a stage's workers for its controllers. Thread-safe, but for {@link #sample}. */
public final class StageMonitor {

    private final LongAdder done = new LongAdder();
    private final LongAdder busyNanos = new LongAdder();
    private final LongAdder turnedAway = new LongAdder();

    /** The counts at the previous sample. */
    private long doneThen;

    private long busyNanosThen;
    private long turnedAwayThen;
    private long thenNanos;

    public StageMonitor(long nowNanos) {
        thenNanos = nowNanos;
    }

    /** Counts events whose handler has ended. */
    public void handled(int count, long tookNanos) {
        if (count > 0) {
            done.add(count);
            busyNanos.add(tookNanos);
        }
    }

    /** Counts an event that found no credits, or was not admitted. */
    public void turnedAway() {
        turnedAway.increment();
    }

    /** Returns the sample since the previous one. Not by two threads at once. */
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
