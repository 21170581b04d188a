package io.taskmaster.server.engine.naive;

import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Payload;
import io.taskmaster.command.Reply;
import java.util.Optional;

/**
 * A task that is there. Immutable.
 *
 * @param attempt the number of leases since its data came
 * @param rerun the enqueue that takes its place when it is dequeued
 */
record NaiveTask(Brought brought, int attempt, Optional<NaiveLease> lease, Optional<Brought> rerun) {

    /**
     * The data of an enqueue.
     *
     * @param notBeforeMillis from when on it may be leased; 0: at once, also if the instant had come when it was
     *     decided
     */
    record Brought(Payload payload, long enqueuedEarliest, long enqueuedLatest, long notBeforeMillis) {

        static Brought by(Command.Enqueue enqueue, Moment moment) {
            return new Brought(enqueue.payload(), moment.earliestMillis(), moment.latestMillis(), 0)
                    .notBefore(enqueue.notBeforeMillis(), moment.nowMillis());
        }

        Brought notBefore(long millis, long nowMillis) {
            return new Brought(payload, enqueuedEarliest, enqueuedLatest, millis > nowMillis ? millis : 0);
        }

        Brought asOf(long nowMillis) {
            return notBefore(notBeforeMillis, nowMillis);
        }
    }

    /**
     * The newest lease of a task, be it expired or not.
     *
     * @param id {@link #UNKNOWN_TIME} if the reply to its holder was lost
     * @param leasedMillis when it was granted
     */
    record NaiveLease(long id, long leasedMillis, long expiresMillis, String worker, String address) {

        /** The id of a lease whose reply was lost. It differs from every id that a client knows. */
        static final long UNKNOWN_TIME = -1;

        static NaiveLease granted(long id, Command.Lease request, long nowMillis) {
            return new NaiveLease(
                    id, nowMillis, nowMillis + request.leaseMillis(), request.worker(), request.address());
        }
    }

    static NaiveTask enqueued(Brought brought) {
        return new NaiveTask(brought, 0, Optional.empty(), Optional.empty());
    }

    Payload payload() {
        return brought.payload;
    }

    boolean isDelayed(long nowMillis) {
        return nowMillis < brought.notBeforeMillis;
    }

    boolean isAvailable(long nowMillis) {
        return !isLeased(nowMillis) && !isDelayed(nowMillis);
    }

    /** Returns whether it is under a lease. A lease ends at its expiry, not after it. */
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

    NaiveTask released(Command.Release release, long nowMillis) {
        return new NaiveTask(
                brought.notBefore(release.notBeforeMillis(), nowMillis),
                release.untried() && attempt > 0 ? attempt - 1 : attempt,
                Optional.empty(),
                rerun);
    }

    /** Returns the task with its delay over, for good. */
    NaiveTask activated() {
        return new NaiveTask(brought.asOf(Long.MAX_VALUE), attempt, lease, rerun);
    }

    NaiveTask remembering(Brought next) {
        return new NaiveTask(brought, attempt, lease, Optional.of(next));
    }

    NaiveTask leased(NaiveLease granted) {
        return activated().withLease(attempt + 1, Optional.of(granted));
    }

    /** Returns whether the task may have been enqueued at the time that a reply shows. */
    boolean mayBeEnqueuedAt(long millis) {
        return brought.enqueuedEarliest <= millis && millis <= brought.enqueuedLatest;
    }

    /** Checks that a peek at the task may look like this. */
    void requireEqual(Reply.PeekedTask seen, boolean withData, long nowMillis) {
        boolean leased = isLeased(nowMillis);
        boolean delayed = isDelayed(nowMillis);
        Reply.TaskPhase phase =
                leased ? Reply.TaskPhase.LEASED : delayed ? Reply.TaskPhase.DELAYED : Reply.TaskPhase.AVAILABLE;
        long until = leased ? lease.orElseThrow().expiresMillis() : delayed ? brought.notBeforeMillis : 0;
        Unexplained.unless(
                seen.phase() == phase
                        && seen.untilMillis() == until
                        && seen.attempt() == attempt
                        && mayBeEnqueuedAt(seen.enqueuedMillis())
                        && seen.dataBytes() == payload().data().size()
                        && (!withData || seen.payload().equals(payload())),
                "peeked %s, but at %d there is %s",
                seen,
                nowMillis,
                this);
    }

    private NaiveTask withLease(int newAttempt, Optional<NaiveLease> newLease) {
        return new NaiveTask(brought, newAttempt, newLease, rerun);
    }
}
