package io.taskmaster.stage.worker;

import io.taskmaster.client.KeptLease;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.stage.Stage;
import org.jspecify.annotations.Nullable;

/**
 * A leased task in the hands of a worker, from the reply that brought it until its lease is settled or lost.
 *
 * <pre>{@code
 * state    | event                                        | next     | effect
 * READY    | a handler is free, key and rate allow it     | RUNNING  | an Attempt begins
 * READY    | unreadable, without key, too many attempts   | SETTLING | dead letter; no handler gets it
 * READY    | drain, misdirected hand-off, crowd, stuck    | SETTLING | released
 * READY    | lease lost                                   | GONE     | leaves its lane; permit free
 * RUNNING  | done, hand-off, postpone, dead               | SETTLING | the update is committed
 * RUNNING  | retry, exception, timeout, no outcome        | SETTLING | released for later, or dead letter
 * RUNNING  | the same, in a stage that keeps the order    | RESTING  | keeps lease and lane; attempt counted
 * RUNNING  | hold, shorter than the lease, not draining   | RESTING  | keeps lease and permit; no attempt
 * RUNNING  | lease lost                                   | GONE     | handler cancelled; permit free
 * RESTING  | the delay is over                            | READY    | first in its lane
 * RESTING  | the same, but the handler has not returned   | SETTLING | released, as are those behind it
 * RESTING  | drain, misdirected hand-off, stuck           | SETTLING | released
 * RESTING  | lease lost                                   | GONE     | permit free
 * SETTLING | committed, or the server says it is not held | GONE     | permit free
 * SETTLING | refused, or failed for good                  | SETTLING | another settlement
 * SETTLING | the same, and the answer is a hold or retry  | RESTING  | as from RUNNING
 * SETTLING | failed for now                               | SETTLING | the same again after a pause
 * SETTLING | lease lost                                   | SETTLING | the reply decides
 * }</pre>
 *
 * <p>Single-threaded: owned by the stage runner, except for {@link #lease}, which other threads read.
 */
final class Held<T> {

    enum State {
        READY,
        RUNNING,
        RESTING,
        SETTLING,
        GONE
    }

    private final Stage<T> stage;
    private final KeptLease kept;
    private final long receivedNanos;
    private final String key;
    private volatile LeasedTask lease;

    State state = State.READY;
    boolean leaseIsLost;

    /** The number of settlements that were refused. */
    int refusals;

    /** The number of commits of the present settlement that failed. */
    int failures;

    /** The call of the handler that has the task; null before the first call, and when it waits again after a rest. */
    @Nullable
    Attempt<T> attempt;

    private @Nullable AtWork<T> atWork;
    private TaskTrace trace = TaskTrace.NONE;

    /**
     * Creates a task that is READY.
     *
     * @param key the key of its lane
     * @param receivedNanos the monotonic time at which the reply that brought it arrived, in nanoseconds
     */
    Held(Stage<T> stage, KeptLease kept, String key, long receivedNanos) {
        this.stage = stage;
        this.kept = kept;
        this.lease = kept.task();
        this.key = key;
        this.receivedNanos = receivedNanos;
    }

    String key() {
        return key;
    }

    long receivedNanos() {
        return receivedNanos;
    }

    /** Creates the view of this task that the next call of the handler gets. */
    AtWork<T> present() {
        AtWork<T> presented = new AtWork<>(stage, this);
        atWork = presented;
        return presented;
    }

    /** Returns whether no handler has had the task. */
    boolean isUntried() {
        return atWork == null;
    }

    /** Moves the task to the handler. */
    void begin(Attempt<T> by) {
        state = State.RUNNING;
        attempt = by;
        trace = atWork == null ? TaskTrace.NONE : atWork.trace();
    }

    /** Begins the trace of a task that is settled without a call of the handler. */
    void beginUncalled(Tracing tracing) {
        trace = tracing.uncalled(stage, present());
    }

    /** The trace of the attempt whose end is not known yet. */
    TaskTrace trace() {
        return trace;
    }

    /** Ends the trace of the attempt. Later calls have no effect until another attempt begins. */
    void ended(TaskTrace.End end, String reason) {
        trace.ended(end, reason);
        trace = TaskTrace.NONE;
    }

    /** Counts another attempt, which is made under the same lease. */
    void countAttempt() {
        lease = new LeasedTask(
                lease.queue(),
                lease.pid(),
                lease.data(),
                lease.headers(),
                lease.leaseId(),
                lease.leaseExpires(),
                lease.attempt() + 1,
                lease.enqueued());
    }

    /** Cancels the view that the handler has: its outcome does not count any more. */
    void cancel() {
        if (atWork != null) {
            atWork.cancel();
        }
    }

    /** Ends the renewal of the lease. */
    void letGo() {
        kept.close();
    }

    LeasedTask lease() {
        return lease;
    }
}
