package io.taskmaster.testkit.oracle;

import static io.taskmaster.testkit.oracle.verdict.Promise.ALL_OR_NOTHING;
import static io.taskmaster.testkit.oracle.verdict.Promise.ATTEMPTS_COUNT;
import static io.taskmaster.testkit.oracle.verdict.Promise.AVAILABLE_IS_OFFERED;
import static io.taskmaster.testkit.oracle.verdict.Promise.DELETED_STAYS_DELETED;
import static io.taskmaster.testkit.oracle.verdict.Promise.FIFO;
import static io.taskmaster.testkit.oracle.verdict.Promise.LEASE_IDS_GROW;
import static io.taskmaster.testkit.oracle.verdict.Promise.NOTHING_DUPLICATED;
import static io.taskmaster.testkit.oracle.verdict.Promise.NOTHING_LOST;
import static io.taskmaster.testkit.oracle.verdict.Promise.NOTHING_UNEXPECTED;
import static io.taskmaster.testkit.oracle.verdict.Promise.NOT_EARLY;
import static io.taskmaster.testkit.oracle.verdict.Promise.NO_OLD_LEASE_ACCEPTED;
import static io.taskmaster.testkit.oracle.verdict.Promise.NO_OVERLAPPING_LEASES;
import static io.taskmaster.testkit.oracle.verdict.Promise.NO_WRONG_REFUSAL;
import static io.taskmaster.testkit.oracle.verdict.Promise.PAUSES_AND_CAPS;
import static io.taskmaster.testkit.oracle.verdict.Promise.PID_ORDER;
import static io.taskmaster.testkit.oracle.verdict.Promise.REQUEST_IDS_APPLY_ONCE;
import static io.taskmaster.testkit.oracle.verdict.Promise.SIZES_ARE_EXACT;

import io.taskmaster.testkit.oracle.verdict.Promise;

/** A bug that the {@link ReferenceService} can have, which shows now and then, with the promise that it breaks. */
enum Bug {
    NONE(NOTHING_LOST),
    FORGET_AN_ENQUEUE(NOTHING_LOST),
    FORGET_A_DEQUEUE(NOTHING_DUPLICATED),
    CHANGE_DATA(NOTHING_UNEXPECTED),
    LEASE_WHAT_IS_LEASED(NO_OVERLAPPING_LEASES),
    ACCEPT_OLD_LEASES(NO_OLD_LEASE_ACCEPTED),
    REFUSE_VALID_LEASES(NO_WRONG_REFUSAL),
    REUSE_LEASE_IDS(LEASE_IDS_GROW),
    MISCOUNT_ATTEMPTS(ATTEMPTS_COUNT),
    APPLY_HALF_OF_UNKNOWN_UPDATES(ALL_OR_NOTHING),
    ASSIGN_PIDS_BACKWARDS(FIFO),
    LEASE_OUT_OF_ORDER(PID_ORDER),
    LEASE_NOTHING(AVAILABLE_IS_OFFERED),
    FORGET_A_DELETION(DELETED_STAYS_DELETED),
    FORGET_REQUEST_IDS(REQUEST_IDS_APPLY_ONCE),
    IGNORE_DELAYS(NOT_EARLY),
    IGNORE_PAUSES(PAUSES_AND_CAPS),
    IGNORE_CAPS(PAUSES_AND_CAPS),
    MISCOUNT_TASKS(SIZES_ARE_EXACT);

    private final Promise promise;

    Bug(Promise promise) {
        this.promise = promise;
    }

    /** Returns the promise that is broken; {@link #NONE} breaks none. */
    Promise promise() {
        return promise;
    }
}
