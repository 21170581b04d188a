package io.taskmaster.stage.net;

import io.taskmaster.model.Bytes;
import io.taskmaster.stage.Admission;
import io.taskmaster.stage.Admission.Cause;
import io.taskmaster.stage.Admission.Refused;
import io.taskmaster.stage.Answerable;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A message that has arrived. It is in hand until whoever has it last {@linkplain #answer answers} or is {@linkplain #done done}; a connection has
 * {@linkplain EndpointSettings#maxInHand only so many} in hand, and closing waits for them. Of a connection that has ended, it is cancelled. Thread-safe.
 */
public final class Message implements Answerable {

    private final Conversation conversation;
    private final Bytes payload;
    private final AtomicBoolean isDone = new AtomicBoolean();

    Message(Conversation conversation, Bytes payload) {
        this.conversation = conversation;
        this.payload = payload;
    }

    public Bytes payload() {
        return payload;
    }

    /** Where it came from. */
    public Connection connection() {
        return conversation.connection();
    }

    /**
     * Sends an answer, and is done. There is always room for the first answer to a message. It is refused if the connection has ended, and if it is
     * larger than a message may be: then the message is still in hand. Does not block.
     */
    public Admission answer(Bytes answer) {
        Admission said = conversation.send(answer, !isDone.get());
        if (!(said instanceof Refused(Cause cause, var _)) || cause == Cause.CLOSED) {
            done();
        }
        return said;
    }

    /** There is nothing more to do for it. Idempotent; does not block. */
    public void done() {
        if (isDone.compareAndSet(false, true)) {
            conversation.freed();
        }
    }

    @Override
    public void dropped(String reason) {
        conversation.dropped(this, reason);
        done();
    }

    @Override
    public boolean isCancelled() {
        return conversation.isOver();
    }
}
