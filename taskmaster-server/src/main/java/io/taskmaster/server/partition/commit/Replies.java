package io.taskmaster.server.partition.commit;

import io.taskmaster.command.Reply;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.proxy.route.ReplySink;
import java.util.ArrayDeque;

/**
 * The replies that wait until the log is durable up to a ticket, in the order of the tickets. Single-threaded: owned by
 * the partition's loop.
 */
public final class Replies {

    private record Waiting(long ticket, boolean effect, ReplySink sink, Reply reply) {}

    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    private long committed;

    public Replies(long committedTicket) {
        committed = committedTicket;
    }

    /** The highest ticket that a reply waits for. */
    public long lastTicket() {
        Waiting last = waiting.peekLast();
        return last == null ? committed : last.ticket;
    }

    public boolean isEmpty() {
        return waiting.isEmpty();
    }

    /**
     * Sends a reply once this ticket is committed.
     *
     * @param effect true if the command may have taken effect even if the ticket is never committed
     */
    public void add(long ticket, boolean effect, ReplySink sink, Reply reply) {
        if (ticket <= committed && waiting.isEmpty()) {
            sink.reply(reply);
        } else {
            // Never before an earlier one: replies are sent in the order of the decisions.
            waiting.add(new Waiting(Math.max(ticket, lastTicket()), effect, sink, reply));
        }
    }

    public void committed(long ticket) {
        committed = ticket;
        for (Waiting first = waiting.peek(); first != null && first.ticket <= ticket; first = waiting.peek()) {
            waiting.remove();
            first.sink.reply(first.reply);
        }
    }

    /** Fails all replies that wait: the log has ended, and it is unknown which of their atoms are in it. */
    public void failAll(String reason) {
        for (Waiting next = waiting.poll(); next != null; next = waiting.poll()) {
            next.sink.fail(
                    next.effect
                            ? new TaskMasterException(ErrorCode.OUTCOME_UNKNOWN, reason)
                            : new TaskMasterException(ErrorCode.READ_FAILED, reason));
        }
    }
}
