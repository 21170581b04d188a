package io.taskmaster.stage;

/** An event that somebody waits for. Thread-safe. */
public interface Answerable {

    /** Nothing is going to come of it: a stage has dropped it. Does not block. */
    void dropped(String reason);

    /** Whether nobody waits for it any more; then stages drop it without a word. */
    default boolean isCancelled() {
        return false;
    }
}
