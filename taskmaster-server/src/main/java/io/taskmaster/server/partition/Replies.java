package io.taskmaster.server.partition;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.server.engine.Reply;
import io.taskmaster.server.partition.Node.ReplySink;
import java.util.ArrayDeque;

/**
 * Answers that wait until the log is durable up to a ticket, in the order of the tickets. Single-threaded: owned by the partition's
 * loop.
 */
final class Replies {

    private record Waiting(long ticket, boolean effect, ReplySink sink, Reply reply) {}

    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private long committed;

    Replies(long committedTicket) {
        committed = committedTicket;
    }

    /** The highest ticket that an answer waits for. */
    long lastTicket() {
        Waiting last = waiting.peekLast();
        return last == null ? committed : last.ticket;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /**
     * Answers once this ticket is committed.
     *
     * @param effect whether what the caller asked for may have been done, if it never is
     */
    void add(long ticket, boolean effect, ReplySink sink, Reply reply) {
        if (ticket <= committed && waiting.isEmpty()) {
            sink.reply(reply);
        } else {
            waiting.add(new Waiting(Math.max(ticket, lastTicket()), effect, sink, reply));
        }
    }

    void committed(long ticket) {
        committed = ticket;
        for (Waiting first = waiting.peek(); first != null && first.ticket <= ticket; first = waiting.peek()) {
            waiting.remove();
            first.sink.reply(first.reply);
        }
    }

    /** The log has ended: nobody knows what of the rest is in it. */
    void abandon(String reason) {
        for (Waiting next = waiting.poll(); next != null; next = waiting.poll()) {
            next.sink.fail(
                    next.effect
                            ? new TaskMasterException(ErrorCode.OUTCOME_UNKNOWN, reason)
                            : new TaskMasterException(ErrorCode.READ_FAILED, reason));
        }
    }
}
