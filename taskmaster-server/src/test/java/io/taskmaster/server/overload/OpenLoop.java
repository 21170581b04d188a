package io.taskmaster.server.overload;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * An open loop: calls are sent at fixed times, at equal distances, independent of the answers to those before. Latency
 * counts from the intended time. A load that is sent late, or a call that is not sent since too many have no answer, is
 * not a load of that rate: both are counted, and the test checks them.
 */
final class OpenLoop {

    /**
     * The precision of the times of sending: calls are sent in lots, so that no thread wakes ten thousand times per
     * second.
     */
    private static final long LOT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final OpenLoopClient caller;
    private final CallLoad load;
    private final int maxOutstanding;

    OpenLoop(OpenLoopClient caller, CallLoad load, int maxOutstanding) {
        this.caller = caller;
        this.load = load;
        this.maxOutstanding = maxOutstanding;
    }

    /**
     * A load that was sent, and whose answers may still be in flight.
     *
     * @param unsent the number of calls that were skipped because too many had no answer
     * @param latestNanos the maximum delay of a call after its intended time
     */
    record Sent(Calls calls, Duration length, int unsent, long latestNanos, CountDownLatch unanswered) {

        /** Waits until everything is answered. */
        Sent await(Duration timeout) throws InterruptedException {
            if (!unanswered.await(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new AssertionError("not answered within " + timeout + ": " + unanswered.getCount() + " calls");
            }
            return this;
        }

        int planned() {
            return calls.count() + unsent;
        }

        /** Returns the time when the next load can begin, on the system's clock. */
        long endNanos() {
            return calls.startNanos() + length.toNanos();
        }
    }

    /**
     * Sends a load. Blocks until its last call is sent.
     *
     * @param startNanos the begin, on the system's clock: now, or the end of the load before it
     */
    Sent send(double perSecond, Duration length, long startNanos) {
        int planned = (int) Math.round(perSecond * length.toNanos() / 1e9);
        double distanceNanos = (double) length.toNanos() / planned;
        Calls calls = new Calls(load, startNanos, planned);
        CountDownLatch unanswered = new CountDownLatch(planned);
        int unsent = 0;
        long latestNanos = 0;
        for (int i = 0; i < planned; i++) {
            long dueNanos = startNanos + Math.round(i * distanceNanos);
            latestNanos = Math.max(latestNanos, awaitDue(dueNanos));
            if (caller.outstanding() >= maxOutstanding) {
                unsent++;
                unanswered.countDown();
                continue;
            }
            int number = calls.intend(dueNanos);
            caller.call(number, load.request(number), answer -> {
                calls.answered(number, answer);
                unanswered.countDown();
            });
        }
        return new Sent(calls, length, unsent, latestNanos, unanswered);
    }

    /** Returns at that time or a little later. Returns the delay. */
    private static long awaitDue(long dueNanos) {
        long lateNanos = System.nanoTime() - dueNanos;
        while (lateNanos < 0) {
            LockSupport.parkNanos(Math.max(-lateNanos, LOT_NANOS));
            lateNanos = System.nanoTime() - dueNanos;
        }
        return lateNanos;
    }
}
