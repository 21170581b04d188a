package io.taskmaster.stage.net;

/**
 * A listener for the connections of an endpoint. Called on threads of the sockets and of stages: it must be thread-safe
 * and must not block.
 */
public interface ConnectionWatcher {

    /** A listener that does nothing. */
    ConnectionWatcher NONE = new ConnectionWatcher() {};

    default void opened(PeerConnection connection) {}

    default void ended(PeerConnection connection, CloseReason closeReason) {}

    /**
     * Called when a stage has dropped a message that it had taken. Its peer may be waiting for an answer, which may
     * still be sent.
     */
    default void dropped(Message message, String reason) {}
}
