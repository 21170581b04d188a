package io.taskmaster.server.overload;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends calls at fixed times, whatever becomes of those before: each has its moment, at equal distances, and its latency counts from
 * there. A load that is sent late, or a call that could not be sent since too many have no answer, is no load of that rate: both are
 * counted, and the test looks.
 */
final class OpenLoop {

    /** Calls are sent in lots of so long: the precision of the moments, and no thread wakes ten thousand times a second. */
    private static final long LOT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Caller caller;
    private final Load load;
    private final int maxOutstanding;

    OpenLoop(Caller caller, Load load, int maxOutstanding) {
        this.caller = caller;
        this.load = load;
        this.maxOutstanding = maxOutstanding;
    }

    /**
     * A load that was sent, and whose answers may still be on their way.
     *
     * @param unsent calls that came at a time when too many had no answer, and were left out
     * @param latestNanos how long after its moment the latest call was sent
     */
    record Sent(Calls calls, Duration length, int unsent, long latestNanos, CountDownLatch unanswered) {

        /** Waits until everything is answered. */
        Sent await(Duration patience) throws InterruptedException {
            if (!unanswered.await(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new AssertionError("not answered within " + patience + ": " + unanswered.getCount() + " calls");
            }
            return this;
        }

        int planned() {
            return calls.count() + unsent;
        }

        /** When the next load can begin, on the system's clock. */
        long endNanos() {
            return calls.startNanos() + length.toNanos();
        }
    }

    /**
     * Sends a load. Blocks until its last call is sent.
     *
     * @param startNanos when it begins, on the system's clock: now, or when the load before it ended
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

    /** Returns at that time or a little later: how much. */
    private static long awaitDue(long dueNanos) {
        long lateNanos = System.nanoTime() - dueNanos;
        while (lateNanos < 0) {
            LockSupport.parkNanos(Math.max(-lateNanos, LOT_NANOS));
            lateNanos = System.nanoTime() - dueNanos;
        }
        return lateNanos;
    }
}
