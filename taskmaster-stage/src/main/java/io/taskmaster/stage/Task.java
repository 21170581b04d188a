package io.taskmaster.stage;

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
