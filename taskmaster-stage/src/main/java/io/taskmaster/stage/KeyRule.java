package io.taskmaster.stage;

import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The order and the limits of tasks with the same key, within one worker process. Immutable.
 *
 * @param key the key of a task; fast and pure, since it is called on the stages' only loop thread for each leased task.
 *     A task without a key (null) becomes a dead letter
 * @param atOnce the number of tasks of a key that are with handlers, or whose outcome is not committed yet. With 1,
 *     tasks of a key are done in the order in which they were leased: a task that is tried again stays at the head with
 *     its worker, and those behind it wait
 * @param rate the rate at which tasks of a key go to handlers; absent: no limit
 */
public record KeyRule(Function<Task<?>, @Nullable String> key, int atOnce, Optional<Rate> rate) {

    /** One key for all tasks, and no limit. */
    public static final KeyRule NONE = new KeyRule(task -> "", Integer.MAX_VALUE, Optional.empty());

    public KeyRule {
        if (atOnce < 1) {
            throw new IllegalArgumentException("atOnce: %d (expected: 1 or more)".formatted(atOnce));
        }
    }

    /** Returns whether tasks of a key are done in their order. */
    public boolean keepsOrder() {
        return atOnce == 1;
    }
}
