package io.taskmaster.server.partition;

import io.taskmaster.command.Command;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.proxy.route.ReplySink;
import io.taskmaster.server.engine.command.ApplyAtom;
import io.taskmaster.server.engine.index.EngineState;
import io.taskmaster.server.engine.state.PartitionState;
import io.taskmaster.server.partition.admit.AdmissionControl;
import io.taskmaster.server.partition.budget.MemoryBudget;
import io.taskmaster.server.partition.budget.RowLimit;
import io.taskmaster.server.partition.calls.StoreCalls;
import io.taskmaster.server.partition.commit.Journal;
import io.taskmaster.server.partition.commit.Replies;
import io.taskmaster.server.partition.commit.Request;
import io.taskmaster.server.partition.context.NodeMeters;
import io.taskmaster.server.partition.context.NodeResources;
import io.taskmaster.server.partition.context.PartitionContext;
import io.taskmaster.server.partition.context.PartitionRows;
import io.taskmaster.server.partition.context.PartitionSettings;
import io.taskmaster.server.partition.execute.CommandExecutor;
import io.taskmaster.server.partition.flush.FlushRounds;
import io.taskmaster.server.partition.flush.Reaper;
import io.taskmaster.server.partition.log.Checkpointer;
import io.taskmaster.server.partition.log.LogWriter;
import io.taskmaster.server.partition.log.ownership.Checkpoint;
import io.taskmaster.server.partition.loop.DeadlineTimer;
import io.taskmaster.server.partition.loop.PartitionLoop;
import io.taskmaster.server.partition.loop.TickedLoop;
import io.taskmaster.server.partition.read.Corruption;
import io.taskmaster.server.partition.read.ReadIds;
import io.taskmaster.server.partition.read.SelectorResolution;
import io.taskmaster.server.partition.read.StateLoader;
import io.taskmaster.server.partition.read.StoreReader;
import io.taskmaster.server.store.Store;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The part of a partition that exists while it serves, from the end of recovery to the end of the epoch
 * (docs/architecture.md). Single-threaded: owned by the partition's loop.
 *
 * <pre>
 *   submit --> decide --known--> apply --> log --> reply, once the log is durable up to it
 *                |   \--nothing to lease, and a wait--> long polls --tasks, or deadline--> decide
 *                \--not in memory--> parked --read--> decide
 * </pre>
 *
 * <p>{@link AdmissionControl} is the first arrow, {@link CommandExecutor} everything about a decision, {@link Journal}
 * apply and log, {@link Replies} the last arrow. This class itself runs the end of each loop tick, the passing of time,
 * and the end of the epoch.
 */
final class PartitionRuntime implements LogWriter.Listener, FlushRounds.Listener {

    /**
     * The number of dedup windows for which rows of requests are kept, so that an owner whose clock is ahead deletes
     * none that its successor still needs.
     */
    private static final long REQUEST_ID_RETENTION_WINDOWS = 3;

    private final int partition;
    private final TickedLoop loop;
    private final PartitionSettings settings;
    private final MemoryBudget.Share budget;
    private final Consumer<Throwable> ended;

    private final EngineState engine;
    private final PartitionState state;
    private final Journal journal;
    private final LogWriter log;
    private final Checkpointer checkpointer;
    private final FlushRounds rounds;
    private final Reaper reaper;
    private final Replies replies;
    private final CommandExecutor commandExecutor;
    private final StateLoader stateLoader;
    private final SelectorResolution selectorResolution;
    private final AdmissionControl admissionControl;
    private final DeadlineTimer deadlineTimer;
    private final NodeMeters meters;

    private long requests;
    private boolean flushScheduled;
    private boolean stopped;

    /**
     * Creates the serving part of a partition.
     *
     * @param ended notified once when the epoch is over: another owner took the partition, an outcome is unknown, or an
     *     invariant broke
     */
    PartitionRuntime(
            Store store,
            PartitionLoop shared,
            PartitionSettings settings,
            Recovery.Opened opened,
            MemoryBudget.Share budget,
            NodeResources nodeResources,
            Consumer<Throwable> ended) {
        this.partition = opened.partition();
        this.loop = new TickedLoop(shared, this::endTick, this::end);
        this.settings = settings;
        this.budget = budget;
        this.ended = ended;
        this.meters = nodeResources.meters();
        this.state = opened.state();
        this.engine = EngineState.of(state);
        PartitionContext context = new PartitionContext(partition, loop, settings, engine, budget, meters);
        PartitionRows rows =
                new PartitionRows(store, new StoreCalls(loop, settings.log().maxTries()), opened.keys());
        this.deadlineTimer = new DeadlineTimer(loop, this::onDeadline);
        this.log = new LogWriter(
                store, loop, settings.log(), nodeResources.rows(), partition, opened.epochOwnership(), this);
        this.journal = new Journal(context, log, nodeResources.logBackpressure().share());
        this.replies = new Replies(opened.epochOwnership().lastTicket());
        ReadIds readIds = new ReadIds();
        this.checkpointer =
                new Checkpointer(store, loop, settings.log(), partition, opened.epochOwnership(), loop::scheduleTick);
        this.rounds = new FlushRounds(context, rows, log, checkpointer, readIds, this);
        this.reaper = new Reaper(context, rows);
        StoreReader reader = new StoreReader(rows, state, opened.rows(), readIds);
        this.selectorResolution = new SelectorResolution(loop, context.selectors());
        this.commandExecutor = new CommandExecutor(
                context,
                journal,
                replies,
                flow -> new StateLoader(context, reader, selectorResolution, flow),
                this::end);
        this.stateLoader = commandExecutor.stateLoader();
        this.admissionControl = new AdmissionControl(
                context, new RowLimit(store.maxRowBytes()), store::freeSpace, journal, commandExecutor);
        reaper.reap(opened.marks());
        // An idle partition receives no task from outside, but recovered state may be dirty and its leases may have
        // expired.
        loop.scheduleTick();
    }

    PartitionState state() {
        return state;
    }

    EngineState engine() {
        return engine;
    }

    SelectorResolution selectorResolution() {
        return selectorResolution;
    }

    // ---------------------------------------------------------------- requests

    void submit(Command command, ReplySink sink) {
        Request request = new Request(command, sink, requests++, loop.nowMillis());
        if (stopped) {
            commandExecutor.failWithEnd(request);
            return;
        }
        if (!loop.run(() -> admissionControl.enter(request))) {
            // An exception on the way to a decision; the command executor reports those within one.
            commandExecutor.failWithEnd(request);
        }
    }

    // ---------------------------------------------------------------- ticks and time

    private void endTick() {
        // Before admissions, whose decisions already spend the new budget of inline matching and are judged by the
        // dirty memory that this tick has taken.
        engine.selectors().beginTick();
        budget.settle(state);
        admissionControl.admitWaiting();
        commandExecutor.continuePartialRequest();
        // A decision may have broken an invariant, which ends the epoch from within.
        if (stopped) {
            return;
        }
        // Only a round frees dirty memory. Without one, requests that wait for it, and delayed tasks whose move needs
        // it, would wait for the flush interval.
        if (admissionControl.isShortOfMemory() || (stateLoader.isTimeBehind() && budget.isDirtyFull(false))) {
            rounds.start();
        }
        // Before the log is flushed, so that the moves of delayed tasks share its row; and before reads are sent, since
        // waking waiters may need some.
        advanceTime();
        if (stopped) {
            return;
        }
        stateLoader.send();
        // Some replies wait for a ticket that no atom has yet: only a further committed row proves that no later owner
        // has taken over.
        if (replies.lastTicket() > state.lastTicket()) {
            journal.commit(ApplyAtom.empty(state.lastTicket() + 1));
        }
        journal.flush();
        if (rounds.isDue()) {
            rounds.start();
        } else if (!flushScheduled && rounds.isNeeded()) {
            flushScheduled = true;
            loop.schedule(settings.flush().intervalMillis(), this::flushTimer);
        }
        scheduleDeadline();
    }

    private void flushTimer() {
        flushScheduled = false;
        if (!stopped) {
            rounds.start();
        }
    }

    /** Lets time pass, and wakes the waiters for a lease or a delay that has ended. */
    private void advanceTime() {
        if (state.nextInstantMillis() <= loop.nowMillis() || state.dueCount() > 0 || stateLoader.isTimeBehind()) {
            if (stateLoader.advanceTime()) {
                commandExecutor.activate();
            }
            // Also where time has not passed as far as now: what has expired on the way can be leased.
            commandExecutor.wake(state.takeExpiredQueues());
        }
    }

    /** Sets the timer to the earliest deadline of a long poll, expiry of a lease or delay, or end of a dedup minute. */
    private void scheduleDeadline() {
        // While time is behind or moves are outstanding, their own reads and ticks go on with them. A timer for an
        // instant that has passed would go off again and again.
        long next = stateLoader.isTimeBehind() || state.dueCount() > 0 ? Long.MAX_VALUE : state.nextInstantMillis();
        next = Math.min(
                next,
                Math.min(commandExecutor.nextDeadlineMillis(), state.requests().nextExpiryMillis()));
        deadlineTimer.set(next, loop.nowMillis());
    }

    private void onDeadline() {
        if (stopped) {
            return;
        }
        commandExecutor.expirePolls();
        if (state.requests().nextExpiryMillis() <= loop.lastNowMillis()) {
            state.requests().expire(loop.lastNowMillis());
            reaper.sweep(loop.lastNowMillis()
                    - REQUEST_ID_RETENTION_WINDOWS * settings.engine().dedupMillis());
        }
    }

    /** Evicts about this many bytes: other partitions of the node need the memory more. */
    void evict(long bytes) {
        loop.runWithoutTick(() -> {
            if (!stopped) {
                state.evict(bytes);
                budget.evicted(state);
            }
        });
    }

    // ---------------------------------------------------------------- log and rounds

    @Override
    public void onCommitted(long ticket) {
        replies.committed(ticket);
        journal.committed(ticket);
        rounds.committed();
    }

    @Override
    public void onStopped(Throwable reason) {
        end(reason);
    }

    @Override
    public void onRoundCompleted(FlushRounds.Through through) {
        budget.unblockEviction();
        journal.flushedTo(through.logBytes());
        meters.flushed(through.round().tasks().size(), through.tookMillis());
        reaper.reap(through.round().marks());
    }

    @Override
    public void onRoundFailed(Throwable reason) {
        end(reason);
    }

    /** Returns true if every request is answered and all state is in the rows. */
    boolean isSettled() {
        return admissionControl.isEmpty()
                && commandExecutor.isIdle()
                && replies.isEmpty()
                && !rounds.isRunning()
                && !rounds.isNeeded()
                && checkpointer.isSettled()
                && journal.isSettled();
    }

    /** Answers the waiters, and begins a last round. */
    void drain() {
        loop.run(() -> {
            commandExecutor.drain();
            // A round in flight covers only what was dirty when it began, so the drain comes here until nothing is
            // left.
            rounds.start();
        });
    }

    /**
     * Ends the epoch once it is {@link #isSettled settled}, and records that it ended clean. Complete when that is
     * stored; if storing fails, the epoch has ended as by a crash.
     */
    CompletableFuture<Void> close() {
        // Nothing is gathering once the partition is settled, so this appends nothing and only names the end of the
        // log.
        Checkpoint end = log.sealedPosition();
        stop("shut down");
        return checkpointer.close(end);
    }

    /** Ends the epoch as a crash would, and notifies the partition. */
    void end(Throwable cause) {
        if (!stopped) {
            String reason = "the partition's epoch ended: " + cause.getMessage();
            stop(Corruption.isCauseOf(cause) ? Corruption.ofPartition(partition, cause) : reopening(reason));
            ended.accept(cause);
        }
    }

    /** Ends the epoch as a crash would, at once; all requests that wait fail. Idempotent. */
    void stop(String reason) {
        stop(reopening(reason));
    }

    private TaskMasterException reopening(String reason) {
        return TaskMasterException.withoutStackTrace(
                ErrorCode.PARTITION_OPENING, reason, Duration.ofMillis(settings.retryDelayMillis()), null);
    }

    private void stop(TaskMasterException error) {
        if (stopped) {
            return;
        }
        stopped = true;
        loop.stop();
        commandExecutor.stop(error);
        selectorResolution.stop();
        // After commandExecutor.stop, which sets the failure that these requests are given.
        admissionControl.stop().forEach(commandExecutor::failWithEnd);
        journal.stop();
        rounds.stop();
        reaper.stop();
        budget.release();
        replies.failAll(String.valueOf(error.getMessage()));
    }
}
