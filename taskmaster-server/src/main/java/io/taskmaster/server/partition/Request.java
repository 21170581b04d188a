package io.taskmaster.server.partition;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.server.engine.Command;
import io.taskmaster.server.engine.Parts;
import io.taskmaster.server.engine.Reply;
import io.taskmaster.server.engine.Task;
import io.taskmaster.server.partition.Node.ReplySink;
import io.taskmaster.time.Deadlines;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A command on its way through a partition. Single-threaded: owned by the partition's loop. */
final class Request {

    final ReplySink sink;

    /** What is asked; when a part of it is decided, what is left. */
    Command command;

    /** What was decided of it already; null: it is of one piece so far. */
    @Nullable
    Parts parts;

    /** The order of arrival. */
    final long number;

    /** When a long poll ends. */
    final long deadlineMillis;

    /** How many reads it is parked on. */
    int awaited;

    /** It has its answer. */
    boolean over;

    /** Whether it waits until all is counted that has run out by now. */
    boolean onTime = true;

    /** Whether memory was not enough for it: the store was asked. */
    boolean readStore;

    /** Entries that were read for it, and stay until it is decided. */
    final List<Task> pinned = new ArrayList<>(0);

    Request(Command command, ReplySink sink, long number, long nowMillis) {
        this.command = command;
        this.sink = sink;
        this.number = number;
        Command.Lease lease = leaseOf(command);
        this.deadlineMillis = lease == null ? nowMillis : Deadlines.afterMillis(nowMillis, lease.waitMillis());
    }

    /** Tells the caller, unless he has his answer. What is done in part may not be called not done. */
    void fail(TaskMasterException error) {
        if (!over) {
            over = true;
            sink.fail(
                    hasEffect()
                            ? new TaskMasterException(
                                    ErrorCode.OUTCOME_UNKNOWN, "done in part only: " + error.getMessage(), null, error)
                            : error);
        }
    }

    /** The answer, if this is what the last of it, or all of it, comes to. */
    Reply answer(Reply last) {
        return parts == null ? last : parts.with(last);
    }

    /** Whether a part of it has changed something. */
    boolean hasEffect() {
        return parts != null && parts.hasEffect();
    }

    boolean isLongPoll() {
        Command.Lease lease = leaseOf(command);
        return lease != null && lease.waitMillis() > 0;
    }

    /** What is to be leased, or waited for; null if it is another command. */
    static Command.@Nullable Lease leaseOf(Command command) {
        return switch (command) {
            case Command.Lease lease -> lease;
            case Command.Watch watch -> watch.lease();
            default -> null;
        };
    }
}
