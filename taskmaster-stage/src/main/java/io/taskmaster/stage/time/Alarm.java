package io.taskmaster.stage.time;

import io.taskmaster.stage.Admission;
import io.taskmaster.stage.Admission.Cause;
import io.taskmaster.stage.Admission.Refused;
import io.taskmaster.time.Deadlines;
import java.util.Comparator;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** An event that comes after a while, or every so often. Thread-safe. */
public final class Alarm {

    /** How it came that no event comes any more. */
    public enum End {
        /** The sink has its event. */
        DELIVERED,
        /** It was {@link Alarm#cancel cancelled}. */
        CANCELLED,
        /** The sink will never take it: it is closed, or the event is too large. */
        REFUSED,
        /** The sink threw something, which is in the log. */
        FAILED,
        /** All alarms were {@linkplain Alarms#close closed}. */
        CLOSED
    }

    static final Comparator<Alarm> BY_TIME =
            Comparator.<Alarm>comparingLong(alarm -> alarm.dueNanos).thenComparingLong(alarm -> alarm.number);

    private final Alarms alarms;
    private final long number;
    private final Supplier<Admission> offer;

    /** 0: it rings once. */
    private final long periodNanos;

    private final CompletableFuture<End> ended = new CompletableFuture<>();

    /** When it rings next; changed only while it is not in line. Guarded by the lock of {@link #alarms}. */
    private long dueNanos;

    /** When it should ring; {@link #dueNanos} is later if the sink has refused. Single-threaded: owned by who rings it. */
    private long tickNanos;

    private volatile boolean over;
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
     * No event comes any more, but for one that is being offered at this moment.
     *
     * @return false if it has ended already
     */
    public boolean cancel() {
        return alarms.end(this, End.CANCELLED);
    }

    /** Completes when no event comes any more. */
    public CompletableFuture<End> ended() {
        return ended.copy();
    }

    /** How often its time came and no event did, since the sink was still refusing the last one, or it came late. */
    public long skipped() {
        return skipped.get();
    }

    long dueNanos() {
        return dueNanos;
    }

    void due(long nanos) {
        dueNanos = nanos;
    }

    boolean isOver() {
        return over;
    }

    /** False if it was over already. Guarded by the lock of {@link #alarms}. */
    boolean end() {
        boolean first = !over;
        over = true;
        return first;
    }

    void tell(End end) {
        ended.complete(end);
    }

    Admission ring() {
        return offer.get();
    }

    /** When it rings again, after the sink has said this. Empty: never. */
    OptionalLong next(Admission said, long nowNanos) {
        boolean isTaken = said.isTaken();
        long againNanos = said instanceof Refused(Cause _, var retryAfter)
                ? Deadlines.afterNanos(nowNanos, Deadlines.nanos(retryAfter))
                : nowNanos;
        if (periodNanos == 0) {
            return isTaken ? OptionalLong.empty() : OptionalLong.of(againNanos);
        }
        if (!isTaken && againNanos < tickNanos + periodNanos) {
            return OptionalLong.of(againNanos);
        }
        long periods = Math.max(1, Math.ceilDiv(nowNanos - tickNanos, periodNanos));
        tickNanos += periods * periodNanos;
        skipped.addAndGet(periods - (isTaken ? 1 : 0));
        return OptionalLong.of(tickNanos);
    }
}
