package io.taskmaster.stage;

import com.google.errorprone.annotations.MustBeClosed;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.model.Pid;
import java.util.Map;

/**
 * A leased task as a handler gets it. Its lease is renewed until its outcome is committed. Thread-safe.
 *
 * @param <T> the payload
 */
public interface Task<T> {

    /** Returns the decoded payload. */
    T payload();

    /**
     * Returns the lease. Its lease id is a fence for effects outside TaskMaster: it grows with every lease of a task.
     */
    LeasedTask lease();

    /** Returns the member of the family that the task's queue is; empty if the stage has no family. */
    String member();

    /**
     * Returns whether the outcome does not count any more: the lease is lost, the handler took too long, or the worker
     * stops.
     */
    boolean isCancelled();

    /**
     * Makes the trace of this attempt current, on a thread other than the handler's, or in a batch handler, which has a
     * span of its own. It is the trace of the worker's {@linkplain io.taskmaster.stage.worker.task.Tracing tracing}, if
     * it has one.
     */
    @MustBeClosed
    default Scope enter() {
        return Scope.NONE;
    }

    /** Returns the PID. */
    default Pid pid() {
        return lease().pid();
    }

    /** Returns the headers. */
    default Map<String, String> headers() {
        return lease().headers();
    }

    /** Returns the number of this attempt, from 1. Leases of workers that died with the task count. */
    default int attempt() {
        return lease().attempt();
    }
}
