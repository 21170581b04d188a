package io.taskmaster.server.partition.admit;

import io.taskmaster.command.Command;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.server.engine.state.PartitionState;
import io.taskmaster.server.partition.admit.AdmissionQueue.Lane;
import io.taskmaster.server.partition.budget.MemoryBudget;
import io.taskmaster.server.partition.budget.RowLimit;
import io.taskmaster.server.partition.commit.Journal;
import io.taskmaster.server.partition.commit.Request;
import io.taskmaster.server.partition.commit.RequestFlow;
import io.taskmaster.server.partition.context.NodeMeters;
import io.taskmaster.server.partition.context.PartitionContext;
import io.taskmaster.server.partition.context.PartitionSettings;
import io.taskmaster.server.partition.loop.TickedLoop;
import io.taskmaster.server.store.FreeSpace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Admission control of a partition. A request that the store cannot keep, or has no space for, is refused. A write
 * waits here while the log is behind, and an enqueue while dirty memory is full. Interactive requests are admitted
 * first; bulk requests only a few at a time, after all other work of the loop. Within a class groups and their callers
 * are served round-robin ({@link AdmissionQueue}). A request that has waited too long is refused, those of callers with
 * more than an equal part first. Requests that only look are admitted at once. See ADR 8 and ADR 16. Single-threaded:
 * owned by the partition's loop.
 */
public final class AdmissionControl {

    /** The number of requests that one loop tick decides as they come; further ones are queued and sorted first. */
    public static final int MAX_IMMEDIATE_PER_TICK = 32;

    /** The number of bulk requests admitted before the loop handles other work. */
    private static final int MAX_BULK_PER_TICK = 32;

    /**
     * The time for which requests are admitted before the loop accepts more, which may be of callers that round-robin
     * serves next.
     */
    private static final long MAX_TICK_MILLIS = 2;

    /**
     * The time after which a queue is standing: its head was always a request that had waited long, so arrivals exceed
     * admissions.
     */
    public static final long STANDING_MILLIS = 250;

    /** The longest wait in a standing queue. Half of it counts as a long wait. */
    public static final long INTERACTIVE_MAX_WAIT_MILLIS = 500;

    public static final long BULK_MAX_WAIT_MILLIS = 100;

    /** The retry delay for a full store: space does not become free at once. */
    private static final Duration STORE_FULL_RETRY = Duration.ofSeconds(1);

    private final RowLimit rowLimit;
    private final Supplier<FreeSpace> freeSpaceSupplier;
    private final TickedLoop loop;
    private final PartitionSettings settings;
    private final MemoryBudget.Share budget;
    private final PartitionState state;
    private final Journal journal;
    private final NodeMeters meters;
    private final RequestFlow flow;
    private final AdmissionQueue waiting = new AdmissionQueue();

    /** The number of requests decided as they came in this loop tick. */
    private int decidedImmediately;

    /** The number of waiting requests that the meters count. */
    private int reportedWaiting;

    public AdmissionControl(
            PartitionContext context,
            RowLimit rowLimit,
            Supplier<FreeSpace> freeSpaceSupplier,
            Journal journal,
            RequestFlow flow) {
        this.rowLimit = rowLimit;
        this.freeSpaceSupplier = freeSpaceSupplier;
        this.loop = context.loop();
        this.settings = context.settings();
        this.budget = context.budget();
        this.state = context.state();
        this.journal = journal;
        this.meters = context.meters();
        this.flow = flow;
    }

    /** Admits a request, queues it, or refuses it. */
    public void enter(Request request) {
        if (!writes(request.command())) {
            flow.decide(request);
            return;
        }
        TaskMasterException violation = rowLimit.violation(request.command());
        if (violation != null) {
            request.fail(violation);
            return;
        }
        FreeSpace freeSpace = freeSpaceSupplier.get();
        if (!freeSpace.allows(true, addsTasks(request.command()))) {
            request.fail(storeFull(freeSpace));
            return;
        }
        Lane lane = Lane.of(request.sink().isBulk(), addsTasks(request.command()));
        // Bulk work is admitted at the end of a tick only, behind all that is interactive. Nothing overtakes
        // interactive requests that wait, even if its own lane is open.
        if (lane.isBulk() || decidedImmediately == MAX_IMMEDIATE_PER_TICK || !waiting.isEmpty(false) || !isOpen(lane)) {
            waiting.add(lane, request, loop.nowMillis());
        } else {
            decidedImmediately++;
            flow.decide(request);
        }
    }

    /** Returns the error for a store without space for a request. */
    public static TaskMasterException storeFull(FreeSpace freeSpace) {
        return TaskMasterException.withoutStackTrace(ErrorCode.STORE_FULL, freeSpace.reason(), STORE_FULL_RETRY, null);
    }

    private static boolean writes(Command command) {
        return switch (command) {
            case Command.Update _, Command.Lease _, Command.Delete _, Command.Configure _ -> true;
            case Command.Watch _, Command.ListQueues _, Command.Describe _, Command.Peek _ -> false;
        };
    }

    private static boolean addsTasks(Command command) {
        return command instanceof Command.Update update && !update.enqueues().isEmpty();
    }

    private boolean isOpen(Lane lane) {
        return isOpen() && !isShortOfMemory(lane);
    }

    private boolean isOpen() {
        return !flow.isOffloading() && !journal.isBehind();
    }

    public boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Returns true if a request waits for dirty memory, which the end of a flush round frees. */
    public boolean isShortOfMemory() {
        return (!waiting.isEmpty(Lane.INTERACTIVE_WITH_TASKS) && isShortOfMemory(Lane.INTERACTIVE_WITH_TASKS))
                || (!waiting.isEmpty(Lane.BULK_WITH_TASKS) && isShortOfMemory(Lane.BULK_WITH_TASKS));
    }

    /**
     * Admits waiting requests as far as the log and memory allow, and refuses those that have waited too long where
     * they do not.
     */
    public void admitWaiting() {
        boolean hasMore = admitSome();
        for (Lane lane : Lane.values()) {
            if (isShortOfMemory(lane)) {
                // A wait for dirty memory says nothing about the log: it ends all at once, with a round.
                waiting.resetStanding(lane, loop.nowMillis());
            }
            long maxWaitMillis = maxWaitMillis(lane);
            if (journal.isBehind() || isShortOfMemory(lane)) {
                refuse(lane, maxWaitMillis);
            }
        }
        journal.waiting(waiting.groups());
        reportWaiting(waiting.size());
        decidedImmediately = 0;
        if (hasMore) {
            loop.scheduleTick();
        } else if (!waiting.isEmpty()) {
            loop.recheckLater();
        }
    }

    /**
     * Admits requests until none may go in. Returns true if it stopped early so that the loop handles other work in
     * between.
     */
    private boolean admitSome() {
        long startMillis = loop.nowMillis();
        int remainingBulk = MAX_BULK_PER_TICK;
        for (AdmissionQueue.Waiting next = next(); next != null; next = next()) {
            long appended = journal.waitingBytes();
            flow.decide(next.request());
            // After each one: the next is judged by the dirty memory that this one has left.
            budget.settle(state);
            waiting.charge(next, journal.waitingBytes() - appended);
            remainingBulk -= next.lane().isBulk() ? 1 : 0;
            if (remainingBulk == 0 || loop.nowMillis() - startMillis >= MAX_TICK_MILLIS) {
                return true;
            }
        }
        return false;
    }

    /** Takes out the next request that may be admitted. */
    private AdmissionQueue.@Nullable Waiting next() {
        if (waiting.isEmpty() || !isOpen()) {
            return null;
        }
        // Bulk work goes also while interactive enqueues wait for memory. It cannot take theirs, as its own limit is
        // lower.
        AdmissionQueue.Waiting interactive = waiting.take(false, !budget.isDirtyFull(false));
        return interactive == null ? waiting.take(true, !budget.isDirtyFull(true)) : interactive;
    }

    private void refuse(Lane lane, long maxWaitMillis) {
        long now = loop.nowMillis();
        List<Request> overdue = waiting.takeOlderThan(lane, now - maxWaitMillis, now - settings.admissionMillis());
        if (!overdue.isEmpty()) {
            TaskMasterException refusal = refusal(lane);
            for (Request request : overdue) {
                meters.refused(request.sink().caller());
                request.fail(refusal);
            }
        }
    }

    private void reportWaiting(int waitingNow) {
        if (waitingNow != reportedWaiting) {
            meters.waiting(waitingNow - reportedWaiting);
            reportedWaiting = waitingNow;
        }
    }

    private boolean isShortOfMemory(Lane lane) {
        return lane.addsTasks() && budget.isDirtyFull(lane.isBulk());
    }

    /**
     * The longest wait in a lane. A burst may wait until it is over. But in a standing queue more arrives than the log
     * accepts, and a long wait would only delay a refusal (Nichols and Jacobson, "Controlling Queue Delay"; "Fail at
     * Scale"). Waits for dirty memory are an exception: it becomes free all at once, when a round ends.
     */
    private long maxWaitMillis(Lane lane) {
        long standingMaxWaitMillis = lane.isBulk() ? BULK_MAX_WAIT_MILLIS : INTERACTIVE_MAX_WAIT_MILLIS;
        long standingMillis = waiting.standingMillis(lane, loop.nowMillis(), standingMaxWaitMillis / 2);
        return standingMillis < STANDING_MILLIS ? settings.admissionMillis() : standingMaxWaitMillis;
    }

    private TaskMasterException refusal(Lane lane) {
        return TaskMasterException.withoutStackTrace(
                ErrorCode.OVERLOADED,
                isShortOfMemory(lane)
                        ? "dirty.bytes: limit reached (expected: at most " + budget.dirtyLimit() + " bytes)"
                        : "log.wait: the store is slower than the writes that arrive (expected: fewer writes, or a retry later)",
                Duration.ofMillis(settings.retryDelayMillis()),
                null);
    }

    /** Admits nothing any more, and returns the requests that waited. */
    public List<Request> stop() {
        List<Request> all = new ArrayList<>();
        for (Lane lane : Lane.values()) {
            all.addAll(waiting.takeOlderThan(lane, Long.MAX_VALUE, Long.MAX_VALUE));
        }
        reportWaiting(0);
        return all;
    }
}
