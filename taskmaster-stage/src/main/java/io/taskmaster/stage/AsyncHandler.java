package io.taskmaster.stage;

/**
 * A handler of one task that is finished elsewhere: in local stages, or by a later reply. As {@link Handler}, but the
 * outcome may be reported after it has returned.
 *
 * @param <T> the payload
 */
@FunctionalInterface
public interface AsyncHandler<T> {

    /**
     * Begins to work on a task, and arranges that the flight is finished. May block.
     *
     * @throws Exception counts as {@link Outcome#retry} if there is no outcome yet
     */
    void begin(Flight<T> flight) throws Exception;
}
