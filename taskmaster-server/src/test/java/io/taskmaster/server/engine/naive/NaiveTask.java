package io.taskmaster.server.engine.naive;

import io.taskmaster.server.engine.Command;
import io.taskmaster.server.engine.Command.Payload;
import io.taskmaster.server.engine.Reply;
import java.util.Optional;

/**
 * A task that is there. Immutable.
 *
 * @param attempt how often it was leased since its data came
 */
record NaiveTask(Payload payload, long enqueuedEarliest, long enqueuedLatest, int attempt, Optional<NaiveLease> lease) {

    /**
     * The newest lease of a task, be it expired or not.
     *
     * @param id {@link #NOBODY_KNOWS} if its holder was never told
     * @param leasedMillis when it was granted
     */
    record NaiveLease(long id, long leasedMillis, long expiresMillis, String worker, String address) {

        /** Of a lease whose reply was lost: no id that a client can name is this one. */
        static final long NOBODY_KNOWS = -1;

        static NaiveLease granted(long id, Command.Lease request, long nowMillis) {
            return new NaiveLease(
                    id, nowMillis, nowMillis + request.leaseMillis(), request.worker(), request.address());
        }
    }

    static NaiveTask enqueued(Payload payload, Moment moment) {
        return new NaiveTask(payload, moment.earliestMillis(), moment.latestMillis(), 0, Optional.empty());
    }

    /** Whether somebody holds it. A lease ends at its expiry, not after it. */
    boolean isLeased(long nowMillis) {
        return lease.isPresent() && nowMillis < lease.get().expiresMillis();
    }

    boolean isNewestLease(long id) {
        return id > 0 && lease.isPresent() && lease.get().id() == id;
    }

    NaiveTask renewed(long expiresMillis) {
        NaiveLease old = lease.orElseThrow();
        return withLease(
                attempt,
                Optional.of(new NaiveLease(old.id(), old.leasedMillis(), expiresMillis, old.worker(), old.address())));
    }

    NaiveTask released() {
        return withLease(attempt, Optional.empty());
    }

    NaiveTask leased(NaiveLease granted) {
        return withLease(attempt + 1, Optional.of(granted));
    }

    /** Whether the task, as somebody was told of it, may have been enqueued then. */
    boolean mayBeEnqueuedAt(long millis) {
        return enqueuedEarliest <= millis && millis <= enqueuedLatest;
    }

    /** Whether a peek at the task may look like this. */
    void mustLookLike(Reply.PeekedTask seen, boolean withData, long nowMillis) {
        boolean leased = isLeased(nowMillis);
        Unexplained.unless(
                (seen.phase() == Reply.TaskPhase.LEASED) == leased
                        && seen.untilMillis() == (leased ? lease.orElseThrow().expiresMillis() : 0)
                        && seen.attempt() == attempt
                        && mayBeEnqueuedAt(seen.enqueuedMillis())
                        && seen.dataBytes() == payload.data().size()
                        && (!withData || seen.payload().equals(payload)),
                "peeked %s, but at %d there is %s",
                seen,
                nowMillis,
                this);
    }

    private NaiveTask withLease(int newAttempt, Optional<NaiveLease> newLease) {
        return new NaiveTask(payload, enqueuedEarliest, enqueuedLatest, newAttempt, newLease);
    }
}
