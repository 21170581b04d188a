package io.taskmaster.server.partition;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.server.engine.Command;
import io.taskmaster.server.engine.PartitionState;
import io.taskmaster.server.partition.AdmissionQueue.Lane;
import io.taskmaster.server.store.Room;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Admission control of a partition. What the store cannot keep, or has no room for, is refused. What writes waits here while the log is behind,
 * and what brings tasks while there is no memory for what is not flushed: interactive requests go in first, and bulk requests only a few at a time, after whatever else the loop has to do.
 * Within a class groups and their callers are served in turn ({@link AdmissionQueue}). Who has waited too long is refused, and first of all those who have more
 * waiting than their part. What only looks goes straight in. Single-threaded: owned by the partition's loop.
 */
final class Entrance {

    /** The partition. */
    interface Host {

        void decide(Request request);

        /** Whether something large goes first: it is about to leave the loop. */
        boolean isLeaving();
    }

    /** So many requests are decided as they come, in one turn of the loop; the others are sorted first. */
    static final int AT_ONCE_PER_TURN = 32;

    /** So many bulk requests go in before the loop looks for others. */
    private static final int BULK_PER_TURN = 32;

    /** Requests go in for so long before the loop takes others on, which may be of callers whose turn it is. */
    private static final long TURN_MILLIS = 2;

    /** Where the first in line has waited for long for such a time, whoever it was, more come than go in. */
    static final long STANDING_MILLIS = 250;

    /** There nobody waits for longer than this. Half of it is long. */
    static final long INTERACTIVE_PATIENCE_MILLIS = 500;

    static final long BULK_PATIENCE_MILLIS = 100;

    /** Space does not come back in a moment. */
    private static final Duration STORE_FULL_RETRY = Duration.ofSeconds(1);

    private final RowLimit rowLimit;
    private final Supplier<Room> rooms;
    private final Turns turns;
    private final PartitionSettings settings;
    private final MemoryBudget.Share budget;
    private final PartitionState state;
    private final Journal journal;
    private final NodeMeters meters;
    private final Host host;
    private final AdmissionQueue waiting = new AdmissionQueue();

    /** In this turn. */
    private int decidedAtOnce;

    /** What the meters know of. */
    private int toldWaiting;

    Entrance(
            RowLimit rowLimit,
            Supplier<Room> rooms,
            Turns turns,
            PartitionSettings settings,
            MemoryBudget.Share budget,
            PartitionState state,
            Journal journal,
            NodeMeters meters,
            Host host) {
        this.rowLimit = rowLimit;
        this.rooms = rooms;
        this.turns = turns;
        this.settings = settings;
        this.budget = budget;
        this.state = state;
        this.journal = journal;
        this.meters = meters;
        this.host = host;
    }

    void enter(Request request) {
        if (!writes(request.command)) {
            host.decide(request);
            return;
        }
        TaskMasterException objection = rowLimit.objection(request.command);
        if (objection != null) {
            request.fail(objection);
            return;
        }
        Room room = rooms.get();
        if (!room.takes(true, bringsTasks(request.command))) {
            request.fail(storeFull(room));
            return;
        }
        Lane lane = Lane.of(request.sink.isBulk(), bringsTasks(request.command));
        if (lane.isBulk() || decidedAtOnce == AT_ONCE_PER_TURN || !waiting.isEmpty(false) || !isOpen(lane)) {
            waiting.add(lane, request, turns.now());
        } else {
            decidedAtOnce++;
            host.decide(request);
        }
    }

    /** There is no room for what a request brings. */
    static TaskMasterException storeFull(Room room) {
        return TaskMasterException.withoutStackTrace(ErrorCode.STORE_FULL, room.why(), STORE_FULL_RETRY, null);
    }

    private static boolean writes(Command command) {
        return switch (command) {
            case Command.Update _, Command.Lease _, Command.Delete _, Command.Configure _ -> true;
            case Command.Watch _, Command.ListQueues _, Command.Describe _, Command.Peek _ -> false;
        };
    }

    private static boolean bringsTasks(Command command) {
        return command instanceof Command.Update update && !update.enqueues().isEmpty();
    }

    private boolean isOpen(Lane lane) {
        return isOpen() && !isShortOfMemory(lane);
    }

    private boolean isOpen() {
        return !host.isLeaving() && !journal.isBehind();
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Whether somebody waits for a round to end. */
    boolean isShortOfMemory() {
        return (!waiting.isEmpty(Lane.INTERACTIVE_WITH_TASKS) && isShortOfMemory(Lane.INTERACTIVE_WITH_TASKS))
                || (!waiting.isEmpty(Lane.BULK_WITH_TASKS) && isShortOfMemory(Lane.BULK_WITH_TASKS));
    }

    /** Lets in who waits, as far as there is room; who has waited too long where there is none is refused. */
    void letIn() {
        boolean pauses = letInSome();
        for (Lane lane : Lane.values()) {
            if (isShortOfMemory(lane)) {
                waiting.startAnew(lane, turns.now());
            }
            long patienceMillis = patienceMillis(lane);
            if (journal.isBehind() || isShortOfMemory(lane)) {
                refuse(lane, patienceMillis);
            }
        }
        journal.waiting(waiting.groups());
        tell(waiting.size());
        decidedAtOnce = 0;
        if (pauses) {
            turns.endLater();
        } else if (!waiting.isEmpty()) {
            turns.endInAWhile();
        }
    }

    /** True if there may be room for more, but others are to come in between. */
    private boolean letInSome() {
        long beganMillis = turns.now();
        int bulkLeft = BULK_PER_TURN;
        for (AdmissionQueue.Waiting next = next(); next != null; next = next()) {
            long appended = journal.waitingBytes();
            host.decide(next.request());
            budget.settle(state);
            waiting.charge(next, journal.waitingBytes() - appended);
            bulkLeft -= next.lane().isBulk() ? 1 : 0;
            if (bulkLeft == 0 || turns.now() - beganMillis >= TURN_MILLIS) {
                return true;
            }
        }
        return false;
    }

    /** Takes out the one that may go in next. */
    private AdmissionQueue.@Nullable Waiting next() {
        if (waiting.isEmpty() || !isOpen()) {
            return null;
        }
        AdmissionQueue.Waiting interactive = waiting.take(false, !budget.isDirtyFull(false));
        return interactive == null ? waiting.take(true, !budget.isDirtyFull(true)) : interactive;
    }

    private void refuse(Lane lane, long patienceMillis) {
        long now = turns.now();
        List<Request> late = waiting.takeSince(lane, now - patienceMillis, now - settings.admissionMillis());
        if (!late.isEmpty()) {
            TaskMasterException why = refusal(lane);
            for (Request request : late) {
                meters.refused(request.sink.caller());
                request.fail(why);
            }
        }
    }

    private void tell(int waitingNow) {
        if (waitingNow != toldWaiting) {
            meters.waiting(waitingNow - toldWaiting);
            toldWaiting = waitingNow;
        }
    }

    private boolean isShortOfMemory(Lane lane) {
        return lane.bringsTasks() && budget.isDirtyFull(lane.isBulk());
    }

    /**
     * How long somebody may wait in a lane. A burst may wait until it is over. But where nobody gets in soon any more, more come than the log
     * takes, and a long wait would only be a wait for the same refusal (Nichols and Jacobson, "Controlling Queue Delay"; "Fail at Scale").
     * Memory for what is not flushed is another matter: it comes back all at once, when a round ends.
     */
    private long patienceMillis(Lane lane) {
        long standingPatienceMillis = lane.isBulk() ? BULK_PATIENCE_MILLIS : INTERACTIVE_PATIENCE_MILLIS;
        long standingMillis = waiting.standingMillis(lane, turns.now(), standingPatienceMillis / 2);
        return standingMillis < STANDING_MILLIS ? settings.admissionMillis() : standingPatienceMillis;
    }

    private TaskMasterException refusal(Lane lane) {
        return TaskMasterException.withoutStackTrace(
                ErrorCode.OVERLOADED,
                isShortOfMemory(lane)
                        ? "dirty bytes: more than the node takes (expected: at most " + budget.dirtyLimit() + ")"
                        : "log: behind, as the store is (expected: less work, or none for a while)",
                Duration.ofMillis(settings.retryDelayMillis()),
                null);
    }

    /** Nothing goes in any more: who waits. */
    List<Request> stop() {
        List<Request> all = new ArrayList<>();
        for (Lane lane : Lane.values()) {
            all.addAll(waiting.takeSince(lane, Long.MAX_VALUE, Long.MAX_VALUE));
        }
        tell(0);
        return all;
    }
}
