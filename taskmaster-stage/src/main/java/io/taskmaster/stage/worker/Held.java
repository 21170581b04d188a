package io.taskmaster.stage.worker;

import io.taskmaster.client.KeptLease;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.stage.Stage;
import org.jspecify.annotations.Nullable;

/**
 * A task in the hands of a worker.
 *
 * <pre>
 * READY     leased, waits for a handler          -> RUNNING, SETTLING (drained, hopeless), GONE (lease lost)
 * RUNNING   a handler has it                     -> SETTLING (outcome, timeout), RESTING (to be tried again in its place), GONE (lease lost)
 * RESTING   waits for its next attempt           -> READY (the delay is over), SETTLING (drained), GONE (lease lost)
 * SETTLING  its settlement is being committed    -> SETTLING (refused or failed: another one), GONE (committed, lost, given up)
 * GONE      not ours any more; its permit is free
 * </pre>
 *
 * Single-threaded: owned by the stage runner; but for its lease, which others read.
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

    /** Settlements that were refused. */
    int refusals;

    /** Commits of the settlement that failed. */
    int failures;

    /** The call of the handler that has it. */
    @Nullable
    Attempt<T> attempt;

    private @Nullable AtWork<T> atWork;
    private TaskTrace trace = TaskTrace.NONE;

    /**
     * @param key of its lane
     * @param receivedNanos when the reply came that brought it
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

    /** As the next call of the handler has it. */
    AtWork<T> present() {
        AtWork<T> presented = new AtWork<>(stage, this);
        atWork = presented;
        return presented;
    }

    /** Whether no handler has had it. */
    boolean isUntried() {
        return atWork == null;
    }

    /** A handler gets it. */
    void begin(Attempt<T> by) {
        state = State.RUNNING;
        attempt = by;
        trace = atWork == null ? TaskTrace.NONE : atWork.trace();
    }

    /** No handler is going to get it. */
    void beginUncalled(Tracing tracing) {
        trace = tracing.uncalled(stage, present());
    }

    /** The attempt on it whose end is not known. */
    TaskTrace trace() {
        return trace;
    }

    /** The first word on an attempt is the last. */
    void ended(TaskTrace.End end, String reason) {
        trace.ended(end, reason);
        trace = TaskTrace.NONE;
    }

    /** Its next attempt is going to be made under the same lease. */
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

    /** Nobody waits for what the handler that has it says. */
    void cancel() {
        if (atWork != null) {
            atWork.cancel();
        }
    }

    /** Its lease is renewed no more. */
    void letGo() {
        kept.close();
    }

    LeasedTask lease() {
        return lease;
    }
}
