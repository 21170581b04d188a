package io.taskmaster.stage;

/** Where events go: a local stage, most often. Thread-safe. */
@FunctionalInterface
public interface Sink<E> {

    /** Offers an event, which is then the sink's, unless it is refused. Whether this may block is said by the sink. */
    Admission offer(E event);
}
