package io.taskmaster.stage;

import com.google.errorprone.annotations.MustBeClosed;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.model.Pid;
import java.util.Map;

/**
 * A task at work: leased, with its lease renewed until its outcome is committed. Thread-safe.
 *
 * @param <T> the payload
 */
public interface Task<T> {

    T payload();

    /** As it was leased. The lease id is a fence for effects outside TaskMaster: it grows with every lease of a task. */
    LeasedTask lease();

    /** Which member of its family of queues it came from; empty if there is no family. */
    String member();

    /** Whether nobody waits for an outcome any more: its lease is lost, it took too long, or the worker stops. */
    boolean isCancelled();

    /**
     * Makes the trace of this attempt current, on another thread than the handler's, or in a batch handler, which has a span of its own; there is
     * one if the worker {@linkplain io.taskmaster.stage.worker.Tracing traces}.
     */
    @MustBeClosed
    default Scope enter() {
        return Scope.NONE;
    }

    default Pid pid() {
        return lease().pid();
    }

    default Map<String, String> headers() {
        return lease().headers();
    }

    /** 1 for the first. A worker that died with the task counts. */
    default int attempt() {
        return lease().attempt();
    }
}
