package io.taskmaster.stage.net;

import io.taskmaster.model.Bytes;
import io.taskmaster.stage.Admission;
import io.taskmaster.stage.Admission.Cause;
import io.taskmaster.stage.Admission.Refused;
import io.taskmaster.stage.Answerable;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A message that has arrived. Thread-safe.
 *
 * <p>It is in flight until it is {@linkplain #answer answered} or {@linkplain #done done}, which is up to the last
 * handler that has it. A connection has {@linkplain EndpointSettings#maxInHand a bounded number} of messages in flight,
 * and closing waits for them. A message of a connection that has ended is cancelled.
 */
public final class Message implements Answerable {

    private final ConnectionHandler connectionHandler;
    private final Bytes payload;
    private final AtomicBoolean isDone = new AtomicBoolean();

    Message(ConnectionHandler connectionHandler, Bytes payload) {
        this.connectionHandler = connectionHandler;
        this.payload = payload;
    }

    public Bytes payload() {
        return payload;
    }

    /** The connection on which it arrived. */
    public PeerConnection connection() {
        return connectionHandler.connection();
    }

    /**
     * Sends an answer, after which the message is done. The first answer to a message is never refused for want of
     * space. It is refused if the connection has ended, and if it is larger than a message may be: then the message is
     * still in flight. Does not block.
     */
    public Admission answer(Bytes answer) {
        Admission admission = connectionHandler.send(answer, !isDone.get());
        if (!(admission instanceof Refused refused) || refused.cause() == Cause.CLOSED) {
            done();
        }
        return admission;
    }

    /** Marks the message as done, without a further answer. Idempotent; does not block. */
    public void done() {
        if (isDone.compareAndSet(false, true)) {
            connectionHandler.freed();
        }
    }

    @Override
    public void dropped(String reason) {
        connectionHandler.dropped(this, reason);
        done();
    }

    @Override
    public boolean isCancelled() {
        return connectionHandler.isEnded();
    }
}
