package io.taskmaster.stage;

/** Something that is current on a thread until it is closed, on the same thread: the span of a task, where workers trace. */
@FunctionalInterface
public interface Scope extends AutoCloseable {

    /** Of nothing. */
    Scope NONE = () -> {};

    @Override
    void close();
}
