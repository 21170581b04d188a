package io.taskmaster.server.engine.flow;

import io.taskmaster.model.QueueName;

/** The verdict on queues in which tasks wait, from the least urgent to the most urgent one. The rule is here and nowhere else: page, commands, metrics and alerts show what came of it. */
public enum Verdict {
    /** Nothing is to be said. */
    FINE,
    /** Nobody ever leased from it, as far as is known, or it is for dead letters. */
    KEPT,
    /** It is paused, and has available tasks. */
    PAUSED,
    /** Of a family: what waits takes longer than {@value #SHORT_SECONDS} s at the rate at which tasks are dequeued. */
    BEHIND,
    /** It was worked on, has available tasks and none leased, and nothing was leased for {@link #patienceMillis}. */
    STUCK;

    /** Fewer tasks than are done in this time are no pile. */
    public static final double SHORT_SECONDS = 1;

    /** Workers that are busy elsewhere are back by then, if leases are short. */
    public static final long PATIENCE_MILLIS = 30_000;

    /** Likewise, if leases are long: after so many of them. */
    public static final int PATIENCE_LEASES = 3;

    /** Longer leases count as this: some years. */
    private static final long MAX_LEASE_MILLIS = 1L << 37;

    /**
     * A queue as far as its verdict depends on it.
     *
     * @param available with time counted, as leased is
     * @param wasWorkedOn whether anything was ever leased from it
     * @param unattendedMillis for so long tasks have waited, and none was leased
     * @param leaseMillis how long leases are there; 0: nobody knows
     */
    public record Plight(
            long available,
            long leased,
            boolean isPaused,
            boolean isForDeadLetters,
            boolean wasWorkedOn,
            long unattendedMillis,
            long leaseMillis) {}

    /** The verdict on one queue: any but {@link #BEHIND}. */
    public static Verdict of(Plight queue) {
        if (queue.available == 0) {
            return FINE;
        }
        if (queue.isPaused) {
            return PAUSED;
        }
        if (queue.leased > 0 || queue.unattendedMillis < patienceMillis(queue.leaseMillis)) {
            return FINE;
        }
        return queue.wasWorkedOn && !queue.isForDeadLetters ? STUCK : KEPT;
    }

    /** How long a queue may be without a lease before that is said. */
    public static long patienceMillis(long leaseMillis) {
        return Math.max(PATIENCE_MILLIS, PATIENCE_LEASES * Math.min(leaseMillis, MAX_LEASE_MILLIS));
    }

    /**
     * Whether a family is {@link #BEHIND}.
     *
     * @param available in queues that are neither stuck, paused nor kept
     * @param isWorkedOn whether something is leased there, or was lately
     */
    public static boolean isBehind(long available, boolean isWorkedOn, double dequeuedPerSecond) {
        return isWorkedOn && available > dequeuedPerSecond * SHORT_SECONDS;
    }

    /** Whether a queue is for dead letters, by its name: workers leave it alone, and people look through it now and then. */
    public static boolean isForDeadLetters(QueueName name) {
        return !NameParts.of(name, NameParts.Separators.ALL).ending().isEmpty();
    }

    /** The more urgent one. */
    public Verdict or(Verdict other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
