package io.taskmaster.server.partition;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.server.engine.command.Command;
import io.taskmaster.server.engine.command.Reply;
import io.taskmaster.server.engine.decide.PartialReplies;
import io.taskmaster.server.engine.state.Task;
import io.taskmaster.server.partition.Node.ReplySink;
import io.taskmaster.time.Deadlines;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A command on its way through a partition; {@link Decider} has the table of its states. Single-threaded: owned by the
 * partition's loop.
 */
final class Request {

    final ReplySink sink;

    /** The command; once a part of it is decided, the rest. */
    Command command;

    /** The parts decided so far; null: none. */
    @Nullable
    PartialReplies partialReplies;

    /** The sequence number of arrival. */
    final long number;

    /** The deadline of a long poll. */
    final long deadlineMillis;

    /** The number of needs on which it is parked. */
    int awaited;

    /** True once it is answered. */
    boolean over;

    /** True while it waits until everything is counted that has expired by now; false after the timeout. */
    boolean onTime = true;

    /** True if the store was read for it, because memory was not enough. */
    boolean readStore;

    /** The entries that were read for it; they stay in memory until it is decided. */
    final List<Task> pinned = new ArrayList<>(0);

    Request(Command command, ReplySink sink, long number, long nowMillis) {
        this.command = command;
        this.sink = sink;
        this.number = number;
        Command.Lease lease = leaseOf(command);
        this.deadlineMillis = lease == null ? nowMillis : Deadlines.afterMillis(nowMillis, lease.waitMillis());
    }

    /**
     * Fails the request, unless it is answered. A request that took effect in part fails with {@code OUTCOME_UNKNOWN}.
     */
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

    /** Returns the whole answer, given the reply to the last part or to the only one. */
    Reply answer(Reply last) {
        return partialReplies == null ? last : partialReplies.with(last);
    }

    /** Returns true if a part of it has changed something. */
    boolean hasEffect() {
        return partialReplies != null && partialReplies.hasEffect();
    }

    boolean isLongPoll() {
        Command.Lease lease = leaseOf(command);
        return lease != null && lease.waitMillis() > 0;
    }

    /** The lease of a command that leases or watches; null for other commands. */
    static Command.@Nullable Lease leaseOf(Command command) {
        return switch (command) {
            case Command.Lease lease -> lease;
            case Command.Watch watch -> watch.lease();
            default -> null;
        };
    }
}
