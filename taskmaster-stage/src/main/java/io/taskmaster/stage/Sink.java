package io.taskmaster.stage;

/**
 * A receiver of events, usually a local stage. Thread-safe.
 *
 * @param <E> the event
 */
@FunctionalInterface
public interface Sink<E> {

    /**
     * Offers an event. Unless it is refused, it belongs to the sink from then on. Each sink documents whether this may
     * block.
     */
    Admission offer(E event);
}
