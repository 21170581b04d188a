package io.taskmaster.testkit.oracle.search;

import io.taskmaster.testkit.oracle.verdict.Promise;

/**
 * A rule that the search can waive. If waiving it explains a task that nothing else explains, the promise of the rule
 * is the one that was broken. Constants are in the order in which they are tried: the narrower ones first.
 */
public enum Relaxation {
    IGNORE_DELAYS(Promise.NOT_EARLY),
    OVERLAP_LEASES(Promise.NO_OVERLAPPING_LEASES),
    ACCEPT_OLD_LEASES(Promise.NO_OLD_LEASE_ACCEPTED),
    LEASE_IDS_IN_ANY_ORDER(Promise.LEASE_IDS_GROW),
    MISCOUNT_ATTEMPTS(Promise.ATTEMPTS_COUNT),
    SKIP_DELETES(Promise.DELETED_STAYS_DELETED),
    RESURRECT(Promise.NOTHING_DUPLICATED),
    VANISH(Promise.NOTHING_LOST),
    REFUSE_ANYTHING(Promise.NO_WRONG_REFUSAL),
    CHANGE_DATA(Promise.NOTHING_UNEXPECTED);

    private final Promise promise;

    Relaxation(Promise promise) {
        this.promise = promise;
    }

    public Promise promise() {
        return promise;
    }
}
