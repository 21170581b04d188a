package io.taskmaster.stage.steering;

import io.taskmaster.stage.control.Sample;
import java.util.concurrent.atomic.LongAdder;

/** The measurements of a stage's workers for its controllers. Thread-safe, but for {@link #sample}. */
public final class StageMonitor {

    private final LongAdder done = new LongAdder();
    private final LongAdder busyNanos = new LongAdder();
    private final LongAdder turnedAway = new LongAdder();

    /** The counts at the previous sample. */
    private long lastDone;

    private long lastBusyNanos;
    private long lastTurnedAway;
    private long lastSampleNanos;

    public StageMonitor(long nowNanos) {
        lastSampleNanos = nowNanos;
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
        long totalDone = done.sum();
        long totalBusyNanos = busyNanos.sum();
        long totalTurnedAway = turnedAway.sum();
        Sample sample = new Sample(
                Math.max(1, nowNanos - lastSampleNanos),
                totalDone - lastDone,
                totalBusyNanos - lastBusyNanos,
                waiting,
                totalTurnedAway - lastTurnedAway,
                atWork);
        lastDone = totalDone;
        lastBusyNanos = totalBusyNanos;
        lastTurnedAway = totalTurnedAway;
        lastSampleNanos = nowNanos;
        return sample;
    }
}
