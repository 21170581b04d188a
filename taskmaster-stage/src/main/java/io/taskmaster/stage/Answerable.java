package io.taskmaster.stage;

import com.google.errorprone.annotations.MustBeClosed;

/** An event that somebody waits for. Thread-safe. */
public interface Answerable {

    /** Nothing is going to come of it: a stage has dropped it. Does not block. */
    void dropped(String reason);

    /** A stage that had no room has brought it elsewhere, where it is safe. Does not block. */
    default void spilled() {}

    /** Whether nobody waits for it any more; then a stage that has it in line drops it instead of handling it. */
    default boolean isCancelled() {
        return false;
    }

    /**
     * Makes current what belongs to it, for as long as somebody works on it; asked in stages that are {@linkplain
     * io.taskmaster.stage.local.LocalStageBuilder#traced traced}.
     */
    @MustBeClosed
    default Scope enter() {
        return Scope.NONE;
    }
}
