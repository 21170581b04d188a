package io.taskmaster.stage;

/** An event that somebody waits for. Thread-safe. */
public interface Answerable {

    /** Nothing is going to come of it: a stage has dropped it. Does not block. */
    void dropped(String reason);

    /** Whether nobody waits for it any more; then a stage that has it in line drops it instead of handling it. */
    default boolean isCancelled() {
        return false;
    }
}
