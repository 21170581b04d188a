package io.taskmaster.stage.worker.task;

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
public final class InFlightTask<T> {

    public enum State {
        READY,
        RUNNING,
        RESTING,
        SETTLING,
        GONE
    }

    private final Stage<T> stage;
    private final KeptLease keptLease;
    private final long receivedNanos;
    private final String key;
    private volatile LeasedTask lease;

    public State state = State.READY;
    public boolean leaseIsLost;

    /** The number of settlements that were refused. */
    public int refusals;

    /** The number of commits of the present settlement that failed. */
    public int failures;

    /** The call of the handler that has the task; null before the first call, and when it waits again after a rest. */
    @Nullable
    public Attempt<T> attempt;

    private @Nullable RunningTask<T> runningTask;
    private TaskTrace trace = TaskTrace.NONE;

    /**
     * Creates a task that is READY.
     *
     * @param key the key of its lane
     * @param receivedNanos the monotonic time at which the reply that brought it arrived, in nanoseconds
     */
    public InFlightTask(Stage<T> stage, KeptLease keptLease, String key, long receivedNanos) {
        this.stage = stage;
        this.keptLease = keptLease;
        this.lease = keptLease.task();
        this.key = key;
        this.receivedNanos = receivedNanos;
    }

    public String key() {
        return key;
    }

    public long receivedNanos() {
        return receivedNanos;
    }

    /** Creates the view of this task that the next call of the handler gets. */
    public RunningTask<T> present() {
        RunningTask<T> created = new RunningTask<>(stage, this);
        runningTask = created;
        return created;
    }

    /** Returns whether no handler has had the task. */
    public boolean isUntried() {
        return runningTask == null;
    }

    /** Moves the task to the handler. */
    public void begin(Attempt<T> by) {
        state = State.RUNNING;
        attempt = by;
        trace = runningTask == null ? TaskTrace.NONE : runningTask.trace();
    }

    /** Begins the trace of a task that is settled without a call of the handler. */
    public void beginUncalled(Tracing tracing) {
        trace = tracing.uncalled(stage, present());
    }

    /** The trace of the attempt whose end is not known yet. */
    public TaskTrace trace() {
        return trace;
    }

    /** Ends the trace of the attempt. Later calls have no effect until another attempt begins. */
    public void ended(TaskTrace.End end, String reason) {
        trace.ended(end, reason);
        trace = TaskTrace.NONE;
    }

    /** Counts another attempt, which is made under the same lease. */
    public void countAttempt() {
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
    public void cancel() {
        if (runningTask != null) {
            runningTask.cancel();
        }
    }

    /** Ends the renewal of the lease. */
    public void release() {
        keptLease.close();
    }

    public LeasedTask lease() {
        return lease;
    }
}
