package io.taskmaster.stage.time;

import io.taskmaster.stage.Admission;
import io.taskmaster.stage.Admission.Refused;
import io.taskmaster.time.Deadlines;
import java.util.Comparator;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * A timer event, once or periodic. Thread-safe.
 *
 * <pre>{@code
 * state   | event                           | next state | effect
 * SET     | it is due                       | RINGING    | the event is offered on the executor
 * RINGING | refused with a delay            | SET        | due after the delay; a periodic one at its next tick at the
 *         |                                 |            | latest, and the refused event is given up
 * RINGING | taken, periodic                 | SET        | due at the next tick
 * RINGING | taken, once                     | ended      | DELIVERED
 * RINGING | refused for good                | ended      | REFUSED
 * RINGING | the sink throws, or no thread   | ended      | FAILED
 * SET     | close                           | ended      | CLOSED; one that is RINGING, when it would be SET again
 * any     | cancel                          | ended      | CANCELLED; an offer that has begun goes on
 * }</pre>
 */
public final class Alarm {

    /** The reason why an alarm offers no more events. */
    public enum End {
        /** The sink has taken its event. */
        DELIVERED,
        /** It was {@linkplain Alarm#cancel cancelled}. */
        CANCELLED,
        /** The sink will never take its event: it is closed, or the event is too large. */
        REFUSED,
        /** The sink threw an exception, which is in the log, or there was no thread to offer the event on. */
        FAILED,
        /** All alarms were {@linkplain Alarms#close closed}. */
        CLOSED
    }

    static final Comparator<Alarm> BY_TIME =
            Comparator.<Alarm>comparingLong(alarm -> alarm.dueNanos).thenComparingLong(alarm -> alarm.number);

    private final Alarms alarms;
    private final long number;
    private final Supplier<Admission> offer;

    /** The period; 0: it rings once. */
    private final long periodNanos;

    private final CompletableFuture<End> ended = new CompletableFuture<>();

    /**
     * The time of the next ring; changed only while the alarm is not in line. Guarded by the lock of {@link #alarms}.
     */
    private long dueNanos;

    /**
     * The time of the present tick; {@link #dueNanos} is later if the sink has refused. Single-threaded: owned by the
     * thread that rings it.
     */
    private long tickNanos;

    private volatile boolean finished;
    private final AtomicLong skipped = new AtomicLong();

    Alarm(Alarms alarms, long number, long dueNanos, long periodNanos, Supplier<Admission> offer) {
        this.alarms = alarms;
        this.number = number;
        this.dueNanos = dueNanos;
        this.tickNanos = dueNanos;
        this.periodNanos = periodNanos;
        this.offer = offer;
    }

    /**
     * Cancels the alarm: no event comes any more, except for one that is being offered at this moment.
     *
     * @return false if it has ended already
     */
    public boolean cancel() {
        return alarms.end(this, End.CANCELLED);
    }

    /** Returns a future that completes when no event comes any more. */
    public CompletableFuture<End> ended() {
        return ended.copy();
    }

    /**
     * The number of ticks of a periodic alarm without an event, since the sink was still refusing the previous one, or
     * that one came late.
     */
    public long skipped() {
        return skipped.get();
    }

    long dueNanos() {
        return dueNanos;
    }

    void due(long nanos) {
        dueNanos = nanos;
    }

    boolean isFinished() {
        return finished;
    }

    /** Marks the alarm as ended. Returns false if it was before. Guarded by the lock of {@link #alarms}. */
    boolean end() {
        boolean first = !finished;
        finished = true;
        return first;
    }

    void notify(End end) {
        ended.complete(end);
    }

    Admission ring() {
        return offer.get();
    }

    /** Returns the time of the next ring after an answer of the sink; empty: never. */
    OptionalLong next(Admission admission, long nowNanos) {
        boolean isAccepted = admission.isTaken();
        long retryNanos = admission instanceof Refused refused
                ? Deadlines.afterNanos(nowNanos, Deadlines.nanos(refused.retryAfter()))
                : nowNanos;
        if (periodNanos == 0) {
            return isAccepted ? OptionalLong.empty() : OptionalLong.of(retryNanos);
        }
        if (!isAccepted && retryNanos < tickNanos + periodNanos) {
            return OptionalLong.of(retryNanos);
        }
        // At least one period passes, so that the alarm never rings twice for a tick. Ticks that have passed meanwhile
        // are skipped.
        long periods = Math.max(1, Math.ceilDiv(nowNanos - tickNanos, periodNanos));
        tickNanos += periods * periodNanos;
        skipped.addAndGet(periods - (isAccepted ? 1 : 0));
        return OptionalLong.of(tickNanos);
    }
}
