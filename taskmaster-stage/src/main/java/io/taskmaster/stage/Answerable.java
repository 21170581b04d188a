package io.taskmaster.stage;

import com.google.errorprone.annotations.MustBeClosed;

/** An event on whose end another party waits, such as a client or a leased task. Thread-safe. */
public interface Answerable {

    /** Reports that a stage has dropped the event, so no answer is to come. Must not block. */
    void dropped(String reason);

    /** Reports that a stage without free space has spilled the event to a place where it is safe. Must not block. */
    default void spilled() {}

    /**
     * Returns whether the result is not needed any more. A stage that has the event in its queue then drops it instead
     * of handling it.
     */
    default boolean isCancelled() {
        return false;
    }

    /**
     * Makes the event's context current while a thread works on it. Called in stages that are
     * {@linkplain io.taskmaster.stage.local.LocalStageBuilder#traced traced}.
     */
    @MustBeClosed
    default Scope enter() {
        return Scope.NONE;
    }
}
