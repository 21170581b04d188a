package io.taskmaster.stage.worker;

import com.google.errorprone.annotations.MustBeClosed;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Scope;
import java.util.Map;
import java.util.Optional;

/** An attempt on a task, as somebody follows it until it is known what became of it. Thread-safe. */
public interface TaskTrace {

    /** What becomes of an attempt. */
    enum End {
        /** The task was dequeued, handed on or not. */
        DONE,
        /** It is tried again. */
        RETRIED,
        /** The worker keeps it, and its handler gets it again. */
        HELD,
        /** It was given back for later, which counts as no attempt. */
        POSTPONED,
        /** A worker that stops gave it back. */
        RELEASED,
        /** It is a dead letter. */
        DEAD,
        /** Its lease is lost, so that its outcome does not count; or it is not known whether it does. */
        LOST
    }

    /** Nobody does. */
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
        public void refused(String why) {}

        @Override
        public void ended(End end, String reason) {}
    };

    /** Current on a thread that works on the task. */
    @MustBeClosed
    Scope enter();

    /** The headers that carry the trace on to tasks that are enqueued for this one; empty: those that it came with. */
    Map<String, String> headers();

    /**
     * It has an outcome, which is not committed yet.
     *
     * @param cause what was thrown, if something was
     */
    void concluded(Outcome outcome, Optional<Throwable> cause);

    /** A commit did not succeed; another one follows, or the end. */
    void refused(String why);

    /** It is known what became of it. The last word. */
    void ended(End end, String reason);
}
