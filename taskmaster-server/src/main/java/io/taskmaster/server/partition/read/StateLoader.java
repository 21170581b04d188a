package io.taskmaster.server.partition.read;

import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.Reply;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Pid;
import io.taskmaster.server.engine.command.Decision;
import io.taskmaster.server.engine.command.Decision.Need;
import io.taskmaster.server.engine.decide.Engine;
import io.taskmaster.server.engine.select.SelectorCache;
import io.taskmaster.server.engine.state.PartitionState;
import io.taskmaster.server.engine.state.QueueState;
import io.taskmaster.server.engine.state.StoredTask;
import io.taskmaster.server.engine.state.Task;
import io.taskmaster.server.partition.commit.Request;
import io.taskmaster.server.partition.commit.RequestFlow;
import io.taskmaster.server.partition.context.NodeMeters;
import io.taskmaster.server.partition.context.PartitionContext;
import io.taskmaster.server.partition.context.PartitionSettings;
import io.taskmaster.server.partition.loop.DeadlineTimer;
import io.taskmaster.server.partition.loop.TickedLoop;
import io.taskmaster.server.store.ScanLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reads that requests wait for: each request is parked on its needs, a need is read once for all requests parked on
 * it, and a request is decided again when its last need is met. Single-threaded: owned by the partition's loop.
 *
 * <pre>{@code
 * need      | read by                                      | met when
 * ----------+----------------------------------------------+--------------------------------------------------
 * TaskRow   | point reads, batched per loop tick           | the row is loaded, or known to be absent
 * MoreTasks | a scan of the queue's head, see WindowRefills      | the window is extended, or the queue is gone
 * Rows      | a scan for a peek                            | answered from the scan, without another decision
 * Chosen    | matching of names off the loop, see SelectorResolution | the queues of the selector are known
 * Counted   | a walk over the queues, in slices            | their sum is known
 * Time      | the stored time index, see TimeIndexLoader        | all that is due is counted, or the timeout passed
 * }</pre>
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>At most one read is in flight for a need: only the first request parked on it starts one.
 *   <li>A read never overwrites newer state: an entry in memory wins, and stays there until every read that began
 *       before its flush has ended ({@link ReadIds}).
 *   <li>A task that was read for a request stays pinned until the request is decided. Otherwise eviction between the
 *       first and the last of its reads could make it wait again and again.
 *   <li>A failed read meets the need as well, so that a request never stays parked. A request that failed by it is over
 *       and is not resumed.
 *   <li>Requests that become ready together are resumed in the order of their arrival ({@link ParkedRequests}).
 *   <li>After {@link #stop} no result of a read arrives.
 * </ul>
 *
 * <p>A tick handles at most {@value #ROWS_AT_ONCE} rows, so an update of many tasks that are not in memory does not
 * delay others. Corruption found by a read fails the requests that need the row, and is logged once; the rest of the
 * partition is served. See ADR 3 for the time index and ADR 14 for patterns.
 */
public final class StateLoader {

    /** The number of tasks whose rows are requested, or handled, in one loop tick: one or two milliseconds of work. */
    static final int ROWS_AT_ONCE = 1000;

    private static final Logger log = LoggerFactory.getLogger(StateLoader.class);
    /** The number of different corruptions that are logged in one epoch. */
    private static final int MAX_DAMAGE_REPORTS = 16;

    private final int partition;
    private final TickedLoop loop;
    private final PartitionSettings settings;
    private final PartitionState state;
    private final SelectorCache selectors;
    private final StoreReader reader;
    private final SelectorResolution selectorResolution;
    private final NodeMeters meters;
    private final TimeIndexLoader time;

    /**
     * The timer of the wait for time to pass. It is not stopped when a wait ends but serves the next one, so there is
     * never more than one pending.
     */
    private final DeadlineTimer timeWaitTimer;

    private long timeWaitEndMillis;
    private final WindowRefills windowRefills;
    private final RequestFlow flow;
    private final ParkedRequests parkedRequests;
    private final List<Decision.TaskRow> queuedRows = new ArrayList<>();
    private final Set<String> reportedDamage = new HashSet<>();

    public StateLoader(
            PartitionContext context, StoreReader reader, SelectorResolution selectorResolution, RequestFlow flow) {
        this.partition = context.partition();
        this.loop = context.loop();
        this.settings = context.settings();
        this.state = context.state();
        this.selectors = context.selectors();
        this.reader = reader;
        this.selectorResolution = selectorResolution;
        this.meters = context.meters();
        this.flow = flow;
        this.parkedRequests = new ParkedRequests(flow::decide);
        this.time = new TimeIndexLoader(state, reader, settings, new TimeListener());
        this.timeWaitTimer = new DeadlineTimer(loop, this::onTimeWaitTimer);
        this.windowRefills = new WindowRefills(context, reader, new RefillListener());
    }

    private final class TimeListener implements TimeIndexLoader.Listener {

        @Override
        public void caughtUp() {
            met(new Decision.Time());
        }

        @Override
        public void failed(Throwable failure) {
            readFailed(new Decision.Time(), failure);
            loop.schedule(settings.retryDelayMillis(), time::retry);
        }

        @Override
        public boolean activate() {
            boolean canActivateMore = flow.activate();
            if (!canActivateMore) {
                loop.recheckLater();
            }
            return canActivateMore;
        }
    }

    /** Lets time pass, or starts the reads that it needs first. Returns true if time has passed. */
    public boolean advanceTime() {
        boolean caughtUp = !time.isBusy() && state.advance(loop.nowMillis());
        if (!caughtUp) {
            time.catchUp(loop.nowMillis());
        }
        return caughtUp;
    }

    /** Returns true if time is behind and reads for it are in flight. */
    public boolean isTimeBehind() {
        return time.isBusy();
    }

    /** Returns true if a request waits for time to pass. */
    public boolean isTimeAwaited() {
        return !parkedRequests.parkedOn(new Decision.Time()).isEmpty();
    }

    /** Returns {@link StoreReader#ticketAtLastResult}. */
    public long ticketAtLastResult() {
        return reader.ticketAtLastResult();
    }

    /** Returns true if no request is parked. */
    public boolean isIdle() {
        return parkedRequests.isEmpty();
    }

    /** Stops all reads: no result arrives any more. Returns the requests that were parked. */
    public List<Request> stop() {
        reader.stop();
        return parkedRequests.drain();
    }

    /** Parks a request until all these needs are met. */
    public void park(Request request, List<Need> needs) {
        List<Need> newNeeds = new ArrayList<>(needs.size());
        for (Need need : needs) {
            if (isStored(need)) {
                request.noteStoreRead();
            }
            if (parkedRequests.park(request, need)) {
                newNeeds.add(need);
            }
        }
        // Only after it is parked on all needs: a need that is met at once would resume it too early.
        newNeeds.forEach(need -> read(request, need));
    }

    private static boolean isStored(Need need) {
        return switch (need) {
            case Decision.TaskRow _, Decision.MoreTasks _, Decision.Rows _, Decision.Time _ -> true;
            case Decision.Chosen _, Decision.Counted _ -> false;
        };
    }

    /**
     * Counts an answered update or lease as served from memory or from the store. Requests that only look are not
     * counted.
     */
    public void onReply(Request request) {
        if (request.command() instanceof Command.Update || Request.leaseOf(request.command()) != null) {
            meters.served(request.readStore());
        }
    }

    private void read(Request request, Need need) {
        switch (need) {
            case Decision.TaskRow row -> queuedRows.add(row);
            case Decision.MoreTasks more -> {
                QueueState queue = state.queue(more.queue());
                if (queue == null) {
                    // Not at once: the request would be decided again within the decision that parks it.
                    loop.execute(() -> met(more));
                } else if (!queue.isRefilling()) {
                    refill(queue);
                }
            }
            case Decision.Rows rows -> peek(request, rows, rows.from());
            case Decision.Chosen chosen -> choose(chosen.selector(), chosen, () -> met(chosen));
            case Decision.Counted counted -> loop.execute(() -> count(counted));
            case Decision.Time _ -> {
                long nowMillis = loop.nowMillis();
                timeWaitEndMillis = nowMillis + settings.catchUpTimeoutMillis();
                timeWaitTimer.set(timeWaitEndMillis, nowMillis);
                time.catchUp(nowMillis);
            }
        }
    }

    /** Resolves a selector on behalf of the requests that are parked on a need. */
    private void choose(Selector selector, Need need, Runnable known) {
        selectorResolution.choose(selector, new SelectorResolution.Waiter() {

            @Override
            public boolean isCancelled() {
                return parkedRequests.parkedOn(need).stream()
                        .allMatch(request -> request.isEnded() || request.sink().isCancelled());
            }

            @Override
            public boolean isLimited() {
                return true;
            }

            @Override
            public void known() {
                known.run();
            }

            @Override
            public void refused(TaskMasterException error) {
                fail(need, error);
                selectors.endTotals(selector);
            }

            @Override
            public void ended() {
                // Parked requests are failed by the command executor when the epoch ends.
            }
        });
    }

    /**
     * Counts the queues of a selector in slices. Requests that arrive meanwhile and need the same sum share the result.
     */
    private void count(Decision.Counted counted) {
        Selector selector = counted.selector();
        if (!selectors.isKnown(selector)) {
            choose(selector, counted, () -> count(counted));
        } else if (selectors.continueTotals(selector, loop.nowMillis())) {
            met(counted);
            selectors.endTotals(selector);
        } else {
            loop.execute(() -> count(counted));
        }
    }

    /**
     * Ends the wait for time to pass, if it has lasted long enough: the requests parked on it are decided with the time
     * reached so far.
     */
    private void onTimeWaitTimer() {
        if (!isTimeAwaited()) {
            return;
        }
        long nowMillis = loop.nowMillis();
        if (nowMillis < timeWaitEndMillis) {
            // An earlier wait, which has ended, had set the timer.
            timeWaitTimer.set(timeWaitEndMillis, nowMillis);
            return;
        }
        var need = new Decision.Time();
        for (Request request : parkedRequests.parkedOn(need)) {
            request.stopWaitingForTime();
        }
        met(need);
    }

    private void met(Need need) {
        parkedRequests.met(need);
    }

    /**
     * Fails the requests that need what could not be read. Nothing was done for them, so their callers may try again,
     * unless the stored data are corrupt.
     */
    private void readFailed(Need need, Throwable failure) {
        fail(
                need,
                Corruption.isCauseOf(failure)
                        ? damaged(failure)
                        : new TaskMasterException(
                                ErrorCode.READ_FAILED,
                                "store: " + failure.getMessage(),
                                Duration.ofMillis(settings.retryDelayMillis()),
                                failure));
    }

    /** Fails the requests parked on a need; a lease that has a part already is answered with that part. */
    private void fail(Need need, TaskMasterException error) {
        for (Request request : List.copyOf(parkedRequests.parkedOn(need))) {
            if (request.isEnded()) {
                continue;
            }
            if (request.hasEffect() && request.command() instanceof Command.Lease) {
                flow.finishEarly(request);
            } else {
                request.fail(error);
                flow.forget(request);
            }
        }
        parkedRequests.met(need);
    }

    /**
     * Returns the failure for corrupt data, and logs each corruption once. The rest of the partition is still served.
     */
    private TaskMasterException damaged(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        if (reportedDamage.size() < MAX_DAMAGE_REPORTS && reportedDamage.add(message)) {
            log.error(
                    "partition {}: stored data {} and is not served: {}",
                    partition,
                    Corruption.predicateOf(failure),
                    message);
        }
        return new TaskMasterException(
                ErrorCode.INTERNAL, "stored data " + Corruption.predicateOf(failure) + ": " + message, null, failure);
    }

    /**
     * Sends the gathered point reads, one slice in each loop tick. The results of a slice arrive in a tick of their
     * own, so that an update of many tasks that are not in memory does not delay others.
     */
    public void send() {
        if (queuedRows.isEmpty()) {
            return;
        }
        List<Decision.TaskRow> slice = queuedRows.subList(0, Math.min(queuedRows.size(), ROWS_AT_ONCE));
        List<Decision.TaskRow> batch = List.copyOf(slice);
        slice.clear();
        if (!queuedRows.isEmpty()) {
            loop.scheduleTick();
        }
        reader.tasks(batch, (id, found, failure) -> {
            for (int i = 0; i < batch.size(); i++) {
                Decision.TaskRow row = batch.get(i);
                if (found == null) {
                    readFailed(row, failure(failure));
                } else {
                    load(row, found.get(i), id);
                    met(row);
                }
            }
        });
    }

    /**
     * Loads a task into memory and pins it for every request parked on it. The generation is checked first: the queue
     * may have been deleted, or deleted and created anew, during the read.
     */
    private void load(Decision.TaskRow row, Optional<StoredTask> found, long readId) {
        QueueState queue = state.queue(row.queue());
        if (queue == null || queue.generation() != row.generation()) {
            return;
        }
        Task task = found.isPresent()
                ? state.reads().load(queue, found.get(), readId)
                : state.reads().loadAbsent(queue, row.pid());
        state.reads().pin(task);
        for (Request request : parkedRequests.parkedOn(row)) {
            if (!request.isEnded()) {
                state.reads().pin(task);
                request.pin(task);
            }
        }
        // Only now: without a pin of its own the task could be evicted before the first request has pinned it.
        state.reads().unpin(task);
    }

    /** Starts a scan for more of a queue's head, unless one is waiting or in flight. */
    public void refill(QueueState queue) {
        windowRefills.enqueue(queue);
    }

    private final class RefillListener implements WindowRefills.Listener {

        @Override
        public void refilled(Decision.MoreTasks need) {
            met(need);
        }

        @Override
        public void failed(Decision.MoreTasks need, @Nullable Throwable failure) {
            readFailed(need, failure(failure));
        }
    }

    private void peek(Request request, Decision.Rows rows, Pid from) {
        Command.Peek command = (Command.Peek) request.command();
        ScanLimit limit = new ScanLimit(command.maxTasks() + 1, Math.max(command.maxBytes(), 1));
        reader.scanAll(rows.queue(), rows.generation(), from, limit, (id, slice, failure) -> {
            if (slice == null) {
                readFailed(rows, failure(failure));
                return;
            }
            QueueState queue = state.queue(rows.queue());
            if (queue != null && queue.generation() != rows.generation()) {
                met(rows);
                return;
            }
            Reply.Peeked reply = Engine.peeked(state, command, slice.tasks(), slice.end(), loop.nowMillis());
            // All rows of the slice are of tasks that memory knows to be gone. An empty reply would look like an empty
            // queue.
            if (reply.tasks().isEmpty() && reply.next().isPresent()) {
                peek(request, rows, reply.next().get());
                return;
            }
            for (Request waiter : List.copyOf(parkedRequests.parkedOn(rows))) {
                // Peeks with other limits share the need. They are decided again below, and read by themselves.
                if (!waiter.isEnded() && waiter.command().equals(command)) {
                    flow.forget(waiter);
                    flow.replyToRead(waiter, reply);
                }
            }
            met(rows);
        });
    }

    private static Throwable failure(@Nullable Throwable failure) {
        return failure == null ? new IllegalStateException("read: neither value nor failure") : failure;
    }
}
