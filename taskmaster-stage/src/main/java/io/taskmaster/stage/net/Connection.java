package io.taskmaster.stage.net;

import io.taskmaster.model.Bytes;
import io.taskmaster.stage.Admission;
import io.taskmaster.stage.Sink;
import java.net.SocketAddress;
import java.util.concurrent.CompletableFuture;

/** A connection to a peer, and a way out to it. Known by its identity. Thread-safe; no method blocks. */
public final class Connection implements Sink<Bytes>, AutoCloseable {

    private final Conversation conversation;

    Connection(Conversation conversation) {
        this.conversation = conversation;
    }

    /** Who is at the other end. */
    public SocketAddress peer() {
        return conversation.peer();
    }

    /**
     * Sends a message. What waits for the peer to read is bounded, by itself ({@link EndpointSettings#maxWaitingBytes}) and over all connections ({@link EndpointSettings#maxMemoryBytes}); beyond, and after the end, it is refused. A message
     * that is taken arrives, unless the connection ends before.
     *
     * @throws IllegalArgumentException if it is no message: of another length than all have, or with a line feed where messages are lines
     */
    public Admission send(Bytes message) {
        return conversation.send(message, false);
    }

    /** As {@link #send}. */
    @Override
    public Admission offer(Bytes message) {
        return send(message);
    }

    /** How many bytes wait for the peer to read them, as far as they are not in the buffers of the operating system. */
    public long waitingBytes() {
        return conversation.waitingBytes();
    }

    /** Reads no more, and ends when what is in hand is answered, and the answers are sent. Idempotent. */
    @Override
    public void close() {
        conversation.close(new Ending(Ending.Cause.CLOSED, "closed here"));
    }

    /** Ends it at once. */
    public void abort(String reason) {
        conversation.abort(new Ending(Ending.Cause.ABORTED, reason));
    }

    /** Completes when it has ended. */
    public CompletableFuture<Ending> ended() {
        return conversation.ended();
    }

    @Override
    public String toString() {
        return "connection to " + peer();
    }
}
