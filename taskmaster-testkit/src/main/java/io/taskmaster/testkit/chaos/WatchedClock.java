package io.taskmaster.testkit.chaos;

import io.taskmaster.server.partition.EngineClock;
import io.taskmaster.testkit.fault.Fault;
import io.taskmaster.testkit.fault.FaultTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A target whose clock is watched: before it is set right, time must have gone on for clients. It also keeps account of how far the server's time
 * may have got from the right one: it approaches the wall clock by a twentieth, so by a twentieth of the time for which that was wrong, less a
 * twentieth of the time since. By how far the wall clock was set plays no part. Thread-safe.
 */
final class WatchedClock implements FaultTarget<Fault> {

    /** Between two looks that a server takes at its clocks, at most: it corrects for all of that at once. */
    private static final long LOOK_NANOS = Duration.ofSeconds(2).toNanos();

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
            goesWrong(System.nanoTime());
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

    private synchronized void goesWrong(long nowNanos) {
        if (offNanos > 0) {
            offNanos = Math.max(0, offNanos - Math.max(0, nowNanos - rightNanos - LOOK_NANOS) / EngineClock.SLEW);
        }
        setNanos = nowNanos;
    }

    private synchronized void isRight(long nowNanos) {
        offNanos += (nowNanos - setNanos + LOOK_NANOS) / EngineClock.SLEW;
        rightNanos = nowNanos;
        farthestNanos = Math.max(farthestNanos, offNanos);
    }

    /** What did not go on meanwhile, in words. */
    synchronized List<String> wrong() {
        return List.copyOf(wrong);
    }

    /** How far from the right time a server may have been that keeps its promise. */
    synchronized Duration farthest() {
        return Duration.ofNanos(farthestNanos);
    }
}
