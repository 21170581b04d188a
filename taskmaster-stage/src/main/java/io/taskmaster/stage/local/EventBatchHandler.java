package io.taskmaster.stage.local;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a local stage does with some events together, in any order. Otherwise as {@link EventHandler}. */
@FunctionalInterface
public interface EventBatchHandler<E> {

    /**
     * Handles some events, at least one. Those that it does not drop are done when it returns.
     *
     * @throws Exception drops those that it has not answered
     */
    void handle(List<E> events, Answer<E> answer) throws Exception;

    /**
     * Where a batch handler says what came of an event, which is known by its identity. The first answer counts, and none after the handler has
     * returned. For the handler's thread only.
     */
    interface Answer<E> {

        /** It is done, whatever happens to the others. */
        void done(E event);

        /** It is dropped, and who waits for it hears why. */
        void drop(E event, @Nullable String reason);
    }
}
