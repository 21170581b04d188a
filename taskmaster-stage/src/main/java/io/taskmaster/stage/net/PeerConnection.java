package io.taskmaster.stage.net;

import io.taskmaster.model.Bytes;
import io.taskmaster.stage.Admission;
import io.taskmaster.stage.Sink;
import java.net.SocketAddress;
import java.util.concurrent.CompletableFuture;

/** A connection to a peer, and a sink for messages to it. Compared by identity. Thread-safe; no method blocks. */
public final class PeerConnection implements Sink<Bytes>, AutoCloseable {

    private final ConnectionHandler connectionHandler;

    PeerConnection(ConnectionHandler connectionHandler) {
        this.connectionHandler = connectionHandler;
    }

    /** The address of the peer. */
    public SocketAddress peer() {
        return connectionHandler.peer();
    }

    /**
     * Sends a message. The bytes that wait for a peer to read them are bounded, for each connection
     * ({@link EndpointSettings#maxWaitingBytes}) and over all of them ({@link EndpointSettings#maxMemoryBytes}). Beyond
     * these bounds, and after the end, a message is refused. A message that is taken arrives, unless the connection
     * ends before.
     *
     * @throws IllegalArgumentException if it is not a message of the framing: of the wrong length where all have the
     *     same, or with a line feed where messages are lines
     */
    public Admission send(Bytes message) {
        return connectionHandler.send(message, false);
    }

    /**
     * {@inheritDoc}
     *
     * <p>As {@link #send}.
     */
    @Override
    public Admission offer(Bytes message) {
        return send(message);
    }

    /** The number of bytes that wait for the peer to read them and are not in buffers of the operating system. */
    public long waitingBytes() {
        return connectionHandler.waitingBytes();
    }

    /**
     * Stops reading, and ends the connection when its messages in flight are answered and the answers are sent.
     * Idempotent.
     */
    @Override
    public void close() {
        connectionHandler.close(new CloseReason(CloseReason.Cause.CLOSED, "closed by this side"));
    }

    /** Ends the connection at once. */
    public void abort(String reason) {
        connectionHandler.abort(new CloseReason(CloseReason.Cause.ABORTED, reason));
    }

    /** Returns a future that completes when the connection has ended. */
    public CompletableFuture<CloseReason> ended() {
        return connectionHandler.ended();
    }

    @Override
    public String toString() {
        return "connection to " + peer();
    }
}
