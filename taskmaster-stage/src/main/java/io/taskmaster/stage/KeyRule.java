package io.taskmaster.stage;

import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What tasks of one key have in common, in one worker process. Immutable.
 *
 * @param key of a task; fast and pure, and asked by the thread of the stages for each task that is leased. One without a key is a dead letter
 * @param atOnce how many of a key are with handlers, or with outcomes that are not committed yet. With 1, tasks of a key are done in the order
 *     in which they were leased: one that is tried again stays at the head, in our hands, and those behind it wait
 * @param rate at which tasks of a key go to handlers; absent: as they come
 */
public record KeyRule(Function<Task<?>, @Nullable String> key, int atOnce, Optional<Rate> rate) {

    /** All tasks alike, and no limit. */
    public static final KeyRule NONE = new KeyRule(_ -> "", Integer.MAX_VALUE, Optional.empty());

    public KeyRule {
        if (atOnce < 1) {
            throw new IllegalArgumentException("atOnce: %d (expected: 1 or more)".formatted(atOnce));
        }
    }

    public boolean keepsOrder() {
        return atOnce == 1;
    }
}
