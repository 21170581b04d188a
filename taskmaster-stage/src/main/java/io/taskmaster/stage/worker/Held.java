package io.taskmaster.stage.worker;

import io.taskmaster.client.KeptLease;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.stage.Stage;
import io.taskmaster.stage.Task;
import java.util.Objects;
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
 * Everything but what {@link Task} says is single-threaded: owned by the stage runner.
 */
final class Held<T> implements Task<T> {

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
    private volatile boolean cancelled;
    private volatile @Nullable T payload;

    State state = State.READY;
    boolean leaseIsLost;

    /** Settlements that were refused. */
    int refusals;

    /** Commits of the settlement that failed. */
    int failures;

    /** The call of the handler that has it. */
    @Nullable
    Attempt<T> attempt;

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

    /** A handler gets it. */
    void begin(Attempt<T> by) {
        state = State.RUNNING;
        attempt = by;
    }

    /** It is going to be tried again under the same lease, which counts as another attempt. */
    void rest() {
        state = State.RESTING;
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

    /** For the handler: its data, read. */
    void decode() {
        payload = Objects.requireNonNull(stage.input().codec().decode(lease().data()), "the payload, as decoded");
    }

    /** Nobody waits for it any more. */
    void cancel() {
        cancelled = true;
    }

    /** Its lease is renewed no more. */
    void letGo() {
        kept.close();
    }

    @Override
    public T payload() {
        T decoded = payload;
        if (decoded == null) {
            throw new IllegalStateException("task: not decoded (expected: in a handler)");
        }
        return decoded;
    }

    @Override
    public LeasedTask lease() {
        return lease;
    }

    @Override
    public String member() {
        return stage.input().memberOf(lease().queue().name());
    }

    @Override
    public boolean isCancelled() {
        return cancelled;
    }
}
