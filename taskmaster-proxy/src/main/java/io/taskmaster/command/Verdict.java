package io.taskmaster.command;

/**
 * The verdict on queues in which tasks wait, from the least urgent to the most urgent one
 * ({@code docs/adr/0017-families-and-verdicts.md}). This is the only place of the rule: page, commands, metrics and
 * alerts show its outcome. The transitions over time are described at {@code UnattendedWatch} of the engine.
 */
public enum Verdict {
    /** Nothing to report. */
    FINE,
    /** It was never leased from, as far as is known, or it is a dead-letter queue. */
    KEPT,
    /** It is paused, and has available tasks. */
    PAUSED,
    /**
     * A verdict on a family: its waiting tasks take longer than {@value #SHORT_SECONDS} s at the rate at which tasks
     * are dequeued.
     */
    BEHIND,
    /**
     * It was leased from before, has available tasks and none leased, and nothing was leased for
     * {@link #unattendedTimeoutMillis}.
     */
    STUCK;

    /** The backlog that is too small to count, as the seconds in which it is worked off. */
    public static final double SHORT_SECONDS = 1;

    /** The timeout for short leases: workers that are busy elsewhere are back by then. */
    public static final long UNATTENDED_TIMEOUT_MILLIS = 30_000;

    /** The timeout for long leases, as a number of leases. */
    public static final int UNATTENDED_TIMEOUT_LEASES = 3;

    /** The bound on the length of a lease, some years. Longer ones count as this. */
    private static final long MAX_LEASE_MILLIS = 1L << 37;

    /**
     * The state of a queue as far as its verdict depends on it.
     *
     * @param available with time counted, as leased is
     * @param wasWorkedOn whether anything was ever leased from it
     * @param unattendedMillis for how long tasks have waited while none was leased
     * @param leaseMillis how long leases are there; 0: unknown
     */
    public record Observation(
            long available,
            long leased,
            boolean isPaused,
            boolean isForDeadLetters,
            boolean wasWorkedOn,
            long unattendedMillis,
            long leaseMillis) {}

    /** Returns the verdict on one queue: any but {@link #BEHIND}. */
    public static Verdict of(Observation queue) {
        if (queue.available == 0) {
            return FINE;
        }
        if (queue.isPaused) {
            return PAUSED;
        }
        if (queue.leased > 0 || queue.unattendedMillis < unattendedTimeoutMillis(queue.leaseMillis)) {
            return FINE;
        }
        return queue.wasWorkedOn && !queue.isForDeadLetters ? STUCK : KEPT;
    }

    /** Returns the timeout: how long a queue may be without a lease before that is reported. */
    public static long unattendedTimeoutMillis(long leaseMillis) {
        return Math.max(UNATTENDED_TIMEOUT_MILLIS, UNATTENDED_TIMEOUT_LEASES * Math.min(leaseMillis, MAX_LEASE_MILLIS));
    }

    /**
     * Returns whether a family is {@link #BEHIND}.
     *
     * @param available in queues that are neither stuck, paused nor kept
     * @param isWorkedOn whether something is leased there, or was lately
     */
    public static boolean isBehind(long available, boolean isWorkedOn, double dequeuedPerSecond) {
        return isWorkedOn && available > dequeuedPerSecond * SHORT_SECONDS;
    }

    /** Returns the more urgent one. */
    public Verdict or(Verdict other) {
        return compareTo(other) >= 0 ? this : other;
    }
}
