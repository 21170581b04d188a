package io.taskmaster.server.partition.commit;

import io.taskmaster.command.Command;
import io.taskmaster.command.Reply;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.proxy.route.ReplySink;
import io.taskmaster.server.engine.command.Decision;
import io.taskmaster.server.engine.decide.PartialReplies;
import io.taskmaster.server.engine.state.Task;
import io.taskmaster.time.Deadlines;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A command on its way through a partition: the parts of it that are decided, and the needs that it waits for.
 * {@code CommandExecutor} has the table of its states. Single-threaded: owned by the partition's loop.
 */
public final class Request {

    public static final Comparator<Request> BY_ARRIVAL = Comparator.comparingLong(request -> request.number);

    private final ReplySink sink;

    /** The command; when a part of it is decided, the rest. */
    private Command command;

    /** The replies decided so far; null: nothing is decided yet, or the request is of one piece. */
    private @Nullable PartialReplies parts;

    /** The order of arrival. */
    private final long number;

    private final long deadlineMillis;

    /** The number of needs that it is parked on. */
    private int needs;

    private boolean ended;
    private boolean onTime = true;
    private boolean readStore;

    /** The entries that were read for it and stay in memory until it is decided. */
    private final List<Task> pinned = new ArrayList<>(0);

    public Request(Command command, ReplySink sink, long number, long nowMillis) {
        this.command = command;
        this.sink = sink;
        this.number = number;
        Command.Lease lease = leaseOf(command);
        this.deadlineMillis = lease == null ? nowMillis : Deadlines.afterMillis(nowMillis, lease.waitMillis());
    }

    /** The command, or the part of it that is not decided yet. */
    public Command command() {
        return command;
    }

    public ReplySink sink() {
        return sink;
    }

    /** The order of arrival. */
    public long number() {
        return number;
    }

    /** The time at which a long poll ends, in milliseconds since 1970. */
    public long deadlineMillis() {
        return deadlineMillis;
    }

    // ---------------------------------------------------------------- the answer

    /** Adds the decision on a part, and leaves the rest to be decided. */
    public void addPart(Decision.Done part, Command remainder) {
        if (parts == null) {
            parts = new PartialReplies();
        }
        parts.add(part);
        command = remainder;
    }

    /** Returns true if a part of it has changed something. */
    public boolean hasEffect() {
        return parts != null && parts.hasEffect();
    }

    /** Returns the answer, given the reply to the last part of it, or to all of it. */
    public Reply mergeReply(Reply last) {
        return parts == null ? last : parts.with(last);
    }

    /** Returns true if its answer is decided, or it has failed. */
    public boolean isEnded() {
        return ended;
    }

    /** Notes that its answer is decided. */
    public void end() {
        ended = true;
    }

    /** Fails the request, unless it is over. One that was done in part must not be reported as not done. */
    public void fail(TaskMasterException error) {
        if (!ended) {
            ended = true;
            sink.fail(
                    hasEffect()
                            ? new TaskMasterException(
                                    ErrorCode.OUTCOME_UNKNOWN, "only partly done: " + error.getMessage(), null, error)
                            : error);
        }
    }

    // ---------------------------------------------------------------- waits

    public boolean isLongPoll() {
        Command.Lease lease = leaseOf(command);
        return lease != null && lease.waitMillis() > 0;
    }

    /** Returns the lease that is granted, or waited for; null if it is another command. */
    public static Command.@Nullable Lease leaseOf(Command command) {
        return switch (command) {
            case Command.Lease lease -> lease;
            case Command.Watch watch -> watch.lease();
            default -> null;
        };
    }

    /** Notes that it is parked on one need more. */
    public void addNeed() {
        needs++;
    }

    /** Notes that a need is met. Returns true if that was the last one and the request is not over. */
    public boolean onNeedMet() {
        return --needs == 0 && !ended;
    }

    /** Returns true if its decision waits until all that has expired by now is counted. */
    public boolean isOnTime() {
        return onTime;
    }

    /** Has it decided with the time reached so far. */
    public void stopWaitingForTime() {
        onTime = false;
    }

    /** Returns true if the store was read for it, since memory was not enough. */
    public boolean readStore() {
        return readStore;
    }

    public void noteStoreRead() {
        readStore = true;
    }

    /** Keeps an entry for it that was read; the caller has pinned it. */
    public void pin(Task task) {
        pinned.add(task);
    }

    /** Returns the entries that are kept for it, which from here on are not. */
    public List<Task> takePinned() {
        List<Task> taken = List.copyOf(pinned);
        pinned.clear();
        return taken;
    }
}
