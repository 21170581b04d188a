package io.taskmaster.server.engine.decide;

import io.taskmaster.command.Command;
import io.taskmaster.command.Reply;
import io.taskmaster.server.engine.command.Decision;
import java.util.ArrayList;
import java.util.List;

/** The partial replies to a command that is decided in parts. Single-threaded: owned by the partition's loop. */
public final class PartialReplies {

    /** The number of queues that one part looks at: one or two milliseconds. */
    static final int MAX_QUEUES_EXAMINED = 5_000;

    /** The number of queues that one part deletes, or of tasks that it leases: one or two milliseconds. */
    static final int CHANGES = 1_000;

    /**
     * The bound on the bytes of an update. To copy more than this into the log takes as long as thousands of elements.
     */
    private static final long MAX_BYTES = 2 << 20;

    private final List<Reply> replies = new ArrayList<>();
    private boolean effect;

    public PartialReplies() {}

    /**
     * Returns whether a command that has to be decided in one piece takes longer than others should wait for it: it has
     * more elements, or megabytes.
     */
    public static boolean isLarge(Command command, int maxElements) {
        if (!(command instanceof Command.Update update)) {
            return false;
        }
        int enqueues = update.enqueues().size();
        if (enqueues
                        + update.dequeues().size()
                        + update.renewals().size()
                        + update.releases().size()
                > maxElements) {
            return true;
        }
        long bytes = 0;
        for (int i = 0; i < enqueues; i++) {
            bytes += update.enqueues().get(i).payload().bytes();
        }
        return bytes > MAX_BYTES;
    }

    public void add(Decision.Done part) {
        replies.add(part.reply());
        effect |= part.atom() != null;
    }

    /** Returns whether a part has changed something. */
    public boolean hasEffect() {
        return effect;
    }

    /** Returns the answer to the whole command. */
    public Reply with(Reply last) {
        return switch (last) {
            case Reply.Listed listed -> {
                List<Reply.Summary> queues = new ArrayList<>();
                replies.forEach(reply -> queues.addAll(((Reply.Listed) reply).queues()));
                queues.addAll(listed.queues());
                yield new Reply.Listed(queues, listed.more());
            }
            case Reply.Deleted deleted -> {
                List<Reply.Summary> queues = new ArrayList<>();
                replies.forEach(reply -> queues.addAll(((Reply.Deleted) reply).queues()));
                queues.addAll(deleted.queues());
                yield new Reply.Deleted(queues);
            }
            case Reply.Leased leased -> {
                List<Reply.LeasedTask> tasks = new ArrayList<>();
                replies.forEach(reply -> tasks.addAll(((Reply.Leased) reply).tasks()));
                tasks.addAll(leased.tasks());
                yield new Reply.Leased(tasks);
            }
            case Reply.Updated _, Reply.Watched _, Reply.Described _, Reply.Peeked _, Reply.Configured _ ->
                throw new IllegalArgumentException("reply: " + last + " (expected: of a command that has parts)");
        };
    }
}
