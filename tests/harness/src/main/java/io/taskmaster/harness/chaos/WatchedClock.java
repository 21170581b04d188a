package io.taskmaster.harness.chaos;

import io.taskmaster.harness.fault.Fault;
import io.taskmaster.harness.fault.FaultTarget;
import io.taskmaster.server.partition.loop.EngineClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A target that checks the server's clock: before the clock is set right, time must have gone on for clients.
 *
 * <p>It also bounds the distance of the server's time from the right one. Engine time approaches the wall clock by a
 * twentieth of the time that passes ({@code docs/adr/0011-engine-time.md}). So the distance grows by a twentieth of the
 * time for which the wall clock was wrong, and shrinks by a twentieth of the time since. The size of the step plays no
 * part. Thread-safe.
 */
final class WatchedClock implements FaultTarget<Fault> {

    /** The longest time between two looks of a server at its clocks: it corrects for all of that time at once. */
    private static final long CHECK_NANOS = Duration.ofSeconds(2).toNanos();

    private final FaultTarget<Fault> target;
    private final TimeCheck check;
    private final List<String> wrong = new ArrayList<>();
    private long setNanos;
    private long rightNanos;
    private long offNanos;
    private long farthestNanos;

    WatchedClock(FaultTarget<Fault> target, TimeCheck check) {
        this.target = target;
        this.check = check;
    }

    @Override
    public void strike(Fault fault) throws InterruptedException {
        target.strike(fault);
        if (fault instanceof Fault.Clock) {
            addError(System.nanoTime());
        }
    }

    @Override
    public void heal(Fault fault) throws InterruptedException {
        if (fault instanceof Fault.Clock(Duration step)) {
            List<String> found = check.wrong();
            synchronized (this) {
                found.forEach(text -> wrong.add("%s, with the wall clock set by %s".formatted(text, Spans.text(step))));
            }
        }
        target.heal(fault);
        if (fault instanceof Fault.Clock) {
            isRight(System.nanoTime());
        }
    }

    @Override
    public void awaitRecovery(Fault fault) throws InterruptedException {
        target.awaitRecovery(fault);
    }

    // The interval of looks widens the bound in both methods: here it does not count as corrected, in isRight it counts
    // as
    // wrong.
    private synchronized void addError(long nowNanos) {
        if (offNanos > 0) {
            offNanos = Math.max(0, offNanos - Math.max(0, nowNanos - rightNanos - CHECK_NANOS) / EngineClock.SLEW);
        }
        setNanos = nowNanos;
    }

    private synchronized void isRight(long nowNanos) {
        offNanos += (nowNanos - setNanos + CHECK_NANOS) / EngineClock.SLEW;
        rightNanos = nowNanos;
        farthestNanos = Math.max(farthestNanos, offNanos);
    }

    /** Returns what did not go on meanwhile, in words. */
    synchronized List<String> wrong() {
        return List.copyOf(wrong);
    }

    /** Returns the largest distance from the right time of a server that keeps its promise. */
    synchronized Duration maxError() {
        return Duration.ofNanos(farthestNanos);
    }
}
