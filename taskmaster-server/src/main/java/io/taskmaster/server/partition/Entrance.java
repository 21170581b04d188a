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
 * Where requests come into a partition. What the store cannot keep, or has no room for, is refused. What writes waits here while the log is behind,
 * and what brings tasks while there is no memory for
 * what is not flushed: interactive requests go in first, and bulk requests only a few at a time, after whatever else the loop has to do. Who
 * has waited too long is refused. What only looks goes straight in. Single-threaded: owned by the partition's loop.
 */
final class Entrance {

    /** The partition. */
    interface Host {

        void decide(Request request);

        /** Whether something large goes first: it is about to leave the loop. */
        boolean isLeaving();
    }

    /** So many bulk requests go in before the loop looks for others. */
    private static final int BULK_PER_TURN = 32;

    /** Or for so long: they may be large. */
    private static final long BULK_TURN_MILLIS = 2;

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
    private final Host host;
    private final AdmissionQueue waiting = new AdmissionQueue();

    Entrance(
            RowLimit rowLimit,
            Supplier<Room> rooms,
            Turns turns,
            PartitionSettings settings,
            MemoryBudget.Share budget,
            PartitionState state,
            Journal journal,
            Host host) {
        this.rowLimit = rowLimit;
        this.rooms = rooms;
        this.turns = turns;
        this.settings = settings;
        this.budget = budget;
        this.state = state;
        this.journal = journal;
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
        if (lane.isBulk() || !waiting.isEmpty(lane) || !isOpen(lane)) {
            waiting.add(lane, request, turns.now());
        } else {
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
        return !host.isLeaving() && !journal.isBehind() && !isShortOfMemory(lane);
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
        long beganMillis = turns.now();
        int bulkLeft = BULK_PER_TURN;
        for (Lane lane = next(); lane != null && bulkLeft > 0; lane = next()) {
            if (lane.isBulk()) {
                bulkLeft = turns.now() - beganMillis < BULK_TURN_MILLIS ? bulkLeft - 1 : 0;
            }
            host.decide(waiting.take(lane));
            budget.settle(state);
        }
        for (Lane lane : Lane.values()) {
            if (isShortOfMemory(lane)) {
                waiting.startAnew(lane, turns.now());
            }
            long patienceMillis = patienceMillis(lane);
            if (journal.isBehind() || isShortOfMemory(lane)) {
                TaskMasterException why = refusal(lane);
                waiting.takeSince(lane, turns.now() - patienceMillis).forEach(request -> request.fail(why));
            }
        }
        if (bulkLeft == 0) {
            turns.endLater();
        } else if (!waiting.isEmpty()) {
            turns.endInAWhile();
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

    /** The lane whose first may go in; of the two of a class, the one who came earlier. */
    private @Nullable Lane next() {
        Lane interactive = earlier(Lane.INTERACTIVE, Lane.INTERACTIVE_WITH_TASKS);
        return interactive == null ? earlier(Lane.BULK, Lane.BULK_WITH_TASKS) : interactive;
    }

    private @Nullable Lane earlier(Lane one, Lane other) {
        Request first = waiting.isEmpty(one) || !isOpen(one) ? null : waiting.first(one);
        Request second = waiting.isEmpty(other) || !isOpen(other) ? null : waiting.first(other);
        if (first == null || second == null) {
            return first != null ? one : second != null ? other : null;
        }
        return first.number < second.number ? one : other;
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
            all.addAll(waiting.takeSince(lane, Long.MAX_VALUE));
        }
        return all;
    }
}
