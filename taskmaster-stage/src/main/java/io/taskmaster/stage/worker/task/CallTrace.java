package io.taskmaster.stage.worker.task;

import com.google.errorprone.annotations.MustBeClosed;
import io.taskmaster.stage.Scope;

/** The trace of one call of a handler. Thread-safe. */
public interface CallTrace {

    /** The trace of a call that is not traced. */
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
     * Returns the trace of the attempt on one of the tasks.
     *
     * @param index the index of the task in the list of the call
     */
    TaskTrace task(int index);

    /** Makes this trace current on the handler's thread for the duration of the call. */
    @MustBeClosed
    Scope enter();

    /** Records that the handler has returned, or was never called, and that no outcome is to come. */
    void returned();
}
