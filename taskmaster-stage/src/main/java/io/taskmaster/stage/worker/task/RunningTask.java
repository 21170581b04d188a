package io.taskmaster.stage.worker.task;

import com.google.errorprone.annotations.MustBeClosed;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.stage.Scope;
import io.taskmaster.stage.Stage;
import io.taskmaster.stage.Task;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The view of a task that one call of the handler has; each call gets its own. Thread-safe. */
public final class RunningTask<T> implements Task<T> {

    private final Stage<T> stage;
    private final InFlightTask<T> inFlightTask;
    private final LeasedTask lease;
    private TaskTrace trace = TaskTrace.NONE;
    private volatile boolean cancelled;
    private volatile @Nullable T payload;

    RunningTask(Stage<T> stage, InFlightTask<T> inFlightTask) {
        this.stage = stage;
        this.inFlightTask = inFlightTask;
        this.lease = inFlightTask.lease();
    }

    InFlightTask<T> inFlightTask() {
        return inFlightTask;
    }

    /** Sets the trace of this attempt, before the handler is called. */
    void trace(TaskTrace followed) {
        trace = followed;
    }

    TaskTrace trace() {
        return trace;
    }

    /** Decodes the payload, on the handler's thread. */
    void decode() {
        payload = Objects.requireNonNull(stage.input().codec().decode(lease.data()), "the payload, as decoded");
    }

    /** Marks the task as one whose outcome does not count any more. */
    void cancel() {
        cancelled = true;
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
    @MustBeClosed
    public Scope enter() {
        return trace.enter();
    }

    @Override
    public LeasedTask lease() {
        return lease;
    }

    @Override
    public String member() {
        return stage.input().memberOf(lease.queue().name());
    }

    @Override
    public boolean isCancelled() {
        return cancelled;
    }
}
