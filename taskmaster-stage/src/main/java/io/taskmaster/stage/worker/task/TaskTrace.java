package io.taskmaster.stage.worker.task;

import com.google.errorprone.annotations.MustBeClosed;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Scope;
import java.util.Map;
import java.util.Optional;

/** The trace of an attempt on a task, from the call of its handler to its end. Thread-safe. */
public interface TaskTrace {

    /** The end of an attempt. */
    enum End {
        /** The task was dequeued, with or without a hand-off. */
        DONE,
        /** The task is tried again. */
        RETRIED,
        /** The worker keeps the task, and its handler gets it again. */
        HELD,
        /** The task was released for later, which counts as no attempt. */
        POSTPONED,
        /** A worker that stops released the task. */
        RELEASED,
        /** The task is a dead letter. */
        DEAD,
        /** The lease was lost, so the outcome does not count, or may not. */
        LOST
    }

    /** The trace of a task that is not traced. */
    TaskTrace NONE = new TaskTrace() {
        @Override
        public Scope enter() {
            return Scope.NONE;
        }

        @Override
        public Map<String, String> headers() {
            return Map.of();
        }

        @Override
        public void concluded(Outcome outcome, Optional<Throwable> cause) {}

        @Override
        public void refused(String reason) {}

        @Override
        public void ended(End end, String reason) {}
    };

    /** Makes this trace current on a thread that works on the task, until the scope is closed. */
    @MustBeClosed
    Scope enter();

    /** Returns the headers that carry the trace to tasks of a hand-off; empty to pass on the task's own. */
    Map<String, String> headers();

    /**
     * Records the outcome, which is not committed yet.
     *
     * @param cause the exception of the handler; absent if none was thrown
     */
    void concluded(Outcome outcome, Optional<Throwable> cause);

    /** Records a commit that did not succeed. Another one follows, or the end. */
    void refused(String reason);

    /** Records the end of the attempt. Always the last call. */
    void ended(End end, String reason);
}
