package io.taskmaster.stage;

/**
 * A context that is current on a thread until it is closed, on the same thread: the span of a task, if the worker
 * traces.
 */
@FunctionalInterface
public interface Scope extends AutoCloseable {

    /** The scope of an empty context. */
    Scope NONE = () -> {};

    @Override
    void close();
}
