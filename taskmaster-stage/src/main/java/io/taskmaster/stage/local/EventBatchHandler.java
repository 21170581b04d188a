package io.taskmaster.stage.local;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A handler of a local stage that gets several events together, in any order. Otherwise as {@link EventHandler}. */
@FunctionalInterface
public interface EventBatchHandler<E> {

    /**
     * Handles some events, at least one. Those that it does not drop are done when it returns.
     *
     * @throws Exception drops those that it has not answered
     */
    void handle(List<E> events, Answer<E> answer) throws Exception;

    /**
     * The answers of a batch handler for single events, which are distinguished by identity. The first answer for an
     * event counts; answers after the handler has returned are ignored. Single-threaded: owned by the handler's thread.
     */
    interface Answer<E> {

        /** Marks an event as done, whatever happens to the others. */
        void done(E event);

        /** Drops an event; its waiter receives the reason. */
        void drop(E event, @Nullable String reason);
    }
}
