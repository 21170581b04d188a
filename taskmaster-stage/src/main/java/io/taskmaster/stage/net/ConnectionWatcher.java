package io.taskmaster.stage.net;

/** Hears of the connections of an endpoint. Called by the threads of the sockets, and of stages: thread-safe, and does not block. */
public interface ConnectionWatcher {

    /** One that does not listen. */
    ConnectionWatcher NONE = new ConnectionWatcher() {};

    default void opened(Connection connection) {}

    default void ended(Connection connection, Ending ending) {}

    /** A stage has dropped a message that it had taken. Its peer may wait for an answer, which may still be sent. */
    default void dropped(Message message, String reason) {}
}
