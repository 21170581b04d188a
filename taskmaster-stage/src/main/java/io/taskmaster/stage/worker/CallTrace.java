package io.taskmaster.stage.worker;

import com.google.errorprone.annotations.MustBeClosed;
import io.taskmaster.stage.Scope;

/** One call of a handler, as somebody follows it. Thread-safe. */
public interface CallTrace {

    /** Nobody does. */
    CallTrace NONE = new CallTrace() {
        @Override
        public TaskTrace task(int index) {
            return TaskTrace.NONE;
        }

        @Override
        public Scope enter() {
            return Scope.NONE;
        }

        @Override
        public void returned() {}
    };

    /**
     * The attempt on one of its tasks.
     *
     * @param index in the list of those
     */
    TaskTrace task(int index);

    /** Current on the handler's thread while that is called. */
    @MustBeClosed
    Scope enter();

    /** The handler has returned, or was never called, and no outcome is to come. */
    void returned();
}
