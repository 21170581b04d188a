package io.taskmaster.testkit.oracle.search;

import io.taskmaster.testkit.oracle.model.Effect;

/**
 * A state in which one (queue, PID) may be. Times are microseconds on the clock of the servers. Immutable.
 *
 * <p>An <em>unobserved</em> lease is one that a call of unknown outcome may have taken. It is not assumed until an
 * operation shows it, for example by an attempt number that is too high.
 *
 * <pre>{@code
 * state       | event                                | next state | effect
 * ------------+--------------------------------------+------------+------------------------------------------
 * absent      | enqueue                              | NONE       | new payload; attempt is 0
 * present     | dequeue, no follower                 | absent     |
 * present     | dequeue, follower                    | NONE       | the follower becomes the task; attempt is 0
 * any         | queue deleted                        | absent     | the follower is dropped
 * NONE,expired| enqueue with REPLACE or RERUN        | NONE       | new payload; attempt is 0; no follower
 * live lease  | enqueue with RERUN                   | same       | the enqueue becomes the follower
 * NONE,expired| lease granted, reply known           | KNOWN      | attempt of the reply; lease id and expiry
 * NONE,expired| lease granted, unobserved            | PHANTOM    | attempt and phantoms grow; no expiry
 * NONE        | unobserved lease that was released   | NONE       | attempt and phantoms grow
 * KNOWN       | renewal                              | KNOWN      | new range of expiry
 * PHANTOM     | renewal                              | PHANTOM    |
 * KNOWN       | release                              | NONE       | not-before time; untried: attempt - 1
 * PHANTOM     | release                              | NONE       | not-before time; untried: attempt - 1
 * }</pre>
 *
 * A PHANTOM lease may always count as expired. Both kinds of lease survive their expiry in this state: a dequeue with
 * an expired lease succeeds as long as no other lease came after it.
 *
 * @param payload {@link #ABSENT} if no task is there
 * @param attempt the least number of leases; unobserved leases may come on top, and are counted when they show
 * @param notBefore the not-before time
 * @param lease the newest lease
 * @param leaseId its id, if it is a known one
 * @param expiresEarliest the earliest expiry, if it is a known one
 * @param expiresLatest the latest expiry, if it is a known one
 * @param next the payload of the follower, which takes the place of the task when it is dequeued; {@link #ABSENT} if
 *     there is none
 * @param nextNotBefore the not-before time of the follower
 * @param phantoms the number of unobserved leases that were assumed to explain it, over all its lives
 * @param highestLeaseId the highest known lease id, over all its lives
 */
record TaskState(
        int payload,
        int attempt,
        long notBefore,
        Lease lease,
        long leaseId,
        long expiresEarliest,
        long expiresLatest,
        int next,
        long nextNotBefore,
        int phantoms,
        long highestLeaseId) {

    static final int ABSENT = -1;

    /** The state of the newest lease. The transitions are those of {@link TaskState}. */
    enum Lease {
        /** Never leased, or its lease was released. */
        NONE,
        KNOWN,
        /** Leased by a call of unknown outcome; its expiry is unknown, too. */
        PHANTOM
    }

    static final TaskState NEVER_THERE = new TaskState(ABSENT, 0, 0, Lease.NONE, 0, 0, 0, ABSENT, 0, 0, 0);

    boolean isPresent() {
        return payload != ABSENT;
    }

    boolean isLeasedBy(long id) {
        return lease == Lease.KNOWN && leaseId == id;
    }

    TaskState absent() {
        return new TaskState(ABSENT, 0, 0, Lease.NONE, 0, 0, 0, ABSENT, 0, phantoms, highestLeaseId);
    }

    TaskState enqueued(int newPayload, long newNotBefore) {
        return new TaskState(newPayload, 0, newNotBefore, Lease.NONE, 0, 0, 0, ABSENT, 0, phantoms, highestLeaseId);
    }

    TaskState dequeued() {
        return next == ABSENT ? absent() : enqueued(next, nextNotBefore);
    }

    TaskState followedBy(int newNext, long newNextNotBefore) {
        return new TaskState(
                payload,
                attempt,
                notBefore,
                lease,
                leaseId,
                expiresEarliest,
                expiresLatest,
                newNext,
                newNextNotBefore,
                phantoms,
                highestLeaseId);
    }

    TaskState released(long newNotBefore, boolean untried) {
        int counted = untried ? Math.max(0, attempt - 1) : attempt;
        return new TaskState(
                payload, counted, newNotBefore, Lease.NONE, 0, 0, 0, next, nextNotBefore, phantoms, highestLeaseId);
    }

    TaskState expiring(long earliest, long latest) {
        return new TaskState(
                payload,
                attempt,
                notBefore,
                lease,
                leaseId,
                earliest,
                latest,
                next,
                nextNotBefore,
                phantoms,
                highestLeaseId);
    }

    TaskState granted(Effect.Granted grant) {
        int unseen = Math.max(0, grant.attempt() - 1 - attempt);
        return new TaskState(
                payload,
                grant.attempt(),
                0,
                Lease.KNOWN,
                grant.leaseId(),
                grant.expires(),
                grant.expires(),
                next,
                nextNotBefore,
                phantoms + unseen,
                grant.leaseId());
    }

    /** Returns this state after so many unobserved leases. */
    TaskState granted(int unseen) {
        return unseen == 0
                ? this
                : new TaskState(
                        payload,
                        attempt + unseen,
                        0,
                        Lease.PHANTOM,
                        0,
                        0,
                        0,
                        next,
                        nextNotBefore,
                        phantoms + unseen,
                        highestLeaseId);
    }

    /** Returns this state after so many unobserved leases that came before the last release. */
    TaskState leasedBefore(int unseen) {
        return new TaskState(
                payload,
                attempt + unseen,
                notBefore,
                lease,
                leaseId,
                expiresEarliest,
                expiresLatest,
                next,
                nextNotBefore,
                phantoms + unseen,
                highestLeaseId);
    }
}
