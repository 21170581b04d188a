package io.taskmaster.server.partition;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.server.engine.command.ApplyAtom;
import io.taskmaster.server.engine.command.Command;
import io.taskmaster.server.engine.index.EngineState;
import io.taskmaster.server.engine.state.PartitionState;
import io.taskmaster.server.partition.log.Checkpoint;
import io.taskmaster.server.partition.log.Checkpointer;
import io.taskmaster.server.partition.log.LogWriter;
import io.taskmaster.server.partition.log.StoreCalls;
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
 * <p>{@link Entrance} is the first arrow, {@link Decider} everything about a decision, {@link Journal} apply and log,
 * {@link Replies} the last arrow. This class itself runs the end of each loop tick, the passing of time, and the end of
 * the epoch.
 */
final class Serving implements LogWriter.Listener, FlushRounds.Listener {

    /**
     * The number of dedup windows for which rows of requests are kept, so that an owner whose clock is ahead deletes
     * none that its successor still needs.
     */
    private static final long REQUESTS_KEPT_WINDOWS = 3;

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
    private final Decider decider;
    private final Lookups lookups;
    private final Choosing choosing;
    private final Entrance entrance;
    private final Alarm alarm;
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
    Serving(
            int partition,
            Store store,
            PartitionLoop shared,
            PartitionSettings settings,
            Opening.Opened opened,
            MemoryBudget.Share budget,
            Commons commons,
            Consumer<Throwable> ended) {
        this.partition = partition;
        this.loop = new TickedLoop(shared, this::endTick, this::end);
        this.settings = settings;
        this.budget = budget;
        this.ended = ended;
        this.meters = commons.meters();
        this.state = opened.state();
        this.engine = EngineState.of(state);
        PartitionContext context = new PartitionContext(partition, loop, settings, engine, budget, meters);
        PartitionRows rows =
                new PartitionRows(store, new StoreCalls(loop, settings.log().maxTries()), opened.keys());
        this.alarm = new Alarm(loop, this::onAlarm);
        this.log = new LogWriter(store, loop, settings.log(), commons.rows(), partition, opened.tenure(), this);
        this.journal = new Journal(context, log, commons.backlog().share());
        this.replies = new Replies(opened.tenure().lastTicket());
        Reads reads = new Reads();
        this.checkpointer = new Checkpointer(store, loop, settings.log(), partition, opened.tenure(), loop::again);
        this.rounds = new FlushRounds(context, rows, log, checkpointer, reads, this);
        this.reaper = new Reaper(context, rows);
        StoreReader reader = new StoreReader(rows, state, opened.rows(), reads);
        this.choosing = new Choosing(loop, context.selectors());
        this.decider =
                new Decider(context, journal, replies, flow -> new Lookups(context, reader, choosing, flow), this::end);
        this.lookups = decider.lookups();
        this.entrance = new Entrance(context, new RowLimit(store.maxRowBytes()), store::room, journal, decider);
        reaper.reap(opened.marks());
        loop.again();
    }

    PartitionState state() {
        return state;
    }

    EngineState engine() {
        return engine;
    }

    Choosing choosing() {
        return choosing;
    }

    // ---------------------------------------------------------------- requests

    void submit(Command command, ReplySink sink) {
        Request request = new Request(command, sink, requests++, loop.nowMillis());
        if (stopped) {
            decider.tellTheEnd(request);
            return;
        }
        if (!loop.run(() -> entrance.enter(request))) {
            // An exception on the way to a decision; the decider reports those within one.
            decider.tellTheEnd(request);
        }
    }

    // ---------------------------------------------------------------- ticks and time

    private void endTick() {
        engine.selectors().turnBegins();
        budget.settle(state);
        entrance.letIn();
        decider.goOnInParts();
        if (stopped) {
            return;
        }
        if (entrance.isShortOfMemory() || (lookups.isTimeBehind() && budget.isDirtyFull(false))) {
            rounds.start();
        }
        passTime();
        if (stopped) {
            return;
        }
        lookups.send();
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
        setAlarm();
    }

    private void flushTimer() {
        flushScheduled = false;
        if (!stopped) {
            rounds.start();
        }
    }

    /** Lets time pass, and wakes the waiters for a lease or a delay that has ended. */
    private void passTime() {
        if (state.nextInstantMillis() <= loop.nowMillis() || state.dueCount() > 0 || lookups.isTimeBehind()) {
            if (lookups.passTime()) {
                decider.activate();
            }
            decider.wake(state.takeRanOut());
        }
    }

    /** Sets the alarm to the earliest deadline of a long poll, expiry of a lease or delay, or end of a dedup minute. */
    private void setAlarm() {
        long next = lookups.isTimeBehind() || state.dueCount() > 0 ? Long.MAX_VALUE : state.nextInstantMillis();
        next = Math.min(
                next, Math.min(decider.nextDeadlineMillis(), state.requests().nextExpiryMillis()));
        alarm.set(next, loop.nowMillis());
    }

    private void onAlarm() {
        if (stopped) {
            return;
        }
        decider.expirePolls();
        if (state.requests().nextExpiryMillis() <= loop.lastNowMillis()) {
            state.requests().expire(loop.lastNowMillis());
            reaper.sweep(loop.lastNowMillis()
                    - REQUESTS_KEPT_WINDOWS * settings.engine().dedupMillis());
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
        budget.flushed();
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
        return entrance.isEmpty()
                && decider.isIdle()
                && replies.isEmpty()
                && !rounds.isRunning()
                && !rounds.isNeeded()
                && checkpointer.isSettled()
                && journal.isSettled();
    }

    /** Answers the waiters, and begins a last round. */
    void drain() {
        loop.run(() -> {
            decider.drain();
            rounds.start();
        });
    }

    /**
     * Ends the epoch once it is {@link #isSettled settled}, and records that it ended clean. Complete when that is
     * stored; if storing fails, the epoch has ended as by a crash.
     */
    CompletableFuture<Void> close() {
        Checkpoint end = log.cut();
        stop("shut down");
        return checkpointer.close(end);
    }

    /** Ends the epoch as a crash would, and notifies the partition. */
    void end(Throwable reason) {
        if (!stopped) {
            String why = "the partition's epoch ended: " + reason.getMessage();
            stop(Damage.isBehind(reason) ? Damage.ofPartition(partition, reason) : opensAgain(why));
            ended.accept(reason);
        }
    }

    /** Ends the epoch as a crash would, at once; all requests that wait fail. Idempotent. */
    void stop(String why) {
        stop(opensAgain(why));
    }

    private TaskMasterException opensAgain(String why) {
        return TaskMasterException.withoutStackTrace(
                ErrorCode.PARTITION_OPENING, why, Duration.ofMillis(settings.retryDelayMillis()), null);
    }

    private void stop(TaskMasterException told) {
        if (stopped) {
            return;
        }
        stopped = true;
        loop.stop();
        decider.stop(told);
        choosing.stop();
        entrance.stop().forEach(decider::tellTheEnd);
        journal.stop();
        rounds.stop();
        reaper.stop();
        budget.release();
        replies.abandon(String.valueOf(told.getMessage()));
    }
}
