package io.taskmaster.testkit.oracle;

/**
 * How one (queue, PID) may stand. Times are microseconds on the clock of the servers. Immutable.
 *
 * @param payload {@link #ABSENT} if no task is there
 * @param attempt how often it was leased at least; leases that nobody was told of may have come on top, and are counted when they show
 * @param notBefore from when on it may be leased
 * @param lease the newest lease
 * @param leaseId if that is a known one
 * @param expiresEarliest if that is a known one
 * @param expiresLatest if that is a known one
 * @param next what takes its place when it is dequeued; {@link #ABSENT} if nothing does
 * @param nextNotBefore of what takes its place
 * @param phantoms how many leases that nobody was told of have been used to explain it, in all its lives
 * @param highestLeaseId of those that are known, in all its lives
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

    enum Lease {
        /** It was never leased, or its lease was given up. */
        NONE,
        KNOWN,
        /** Leased by a call whose outcome nobody knows; when it expires, nobody knows either. */
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

    /** Leased so many times without anybody being told. */
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

    /** The same, leased so many times more without anybody being told, before it was released. */
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
