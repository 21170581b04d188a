package io.taskmaster.server.partition;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.ApplyAtom;
import io.taskmaster.server.engine.ApplyAtom.QueueChange;
import io.taskmaster.server.engine.Command;
import io.taskmaster.server.engine.Decision;
import io.taskmaster.server.engine.Engine;
import io.taskmaster.server.engine.FlushRound;
import io.taskmaster.server.engine.PartitionState;
import io.taskmaster.server.engine.Parts;
import io.taskmaster.server.engine.QueueState;
import io.taskmaster.server.engine.Reply;
import io.taskmaster.server.format.AtomCodec;
import io.taskmaster.server.partition.log.Checkpointer;
import io.taskmaster.server.partition.log.LogWriter;
import io.taskmaster.server.partition.log.StoreCalls;
import io.taskmaster.server.store.Store;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A partition while it serves: from the end of its recovery to the end of its epoch (design, section 4). Single-threaded: owned by
 * the partition's loop.
 *
 * <pre>
 *   submit --> decide --known--> apply --> log --> reply, once the log is durable up to it
 *                |   \--nothing to lease, and a wait--> long polls --tasks, or time is up--> decide
 *                \--something unknown--> parked --read--> decide
 * </pre>
 *
 * What gathers in a turn of the loop (atoms, point reads) goes out together at its end.
 */
final class Serving implements LogWriter.Listener, FlushRounds.Listener, Lookups.Host, Entrance.Host {

    /** Rows of requests stay for so many windows, so that an owner whose clock is ahead takes none from its successor. */
    private static final long REQUESTS_KEPT_WINDOWS = 3;

    /** Delayed tasks are moved to their places in pieces of so many, so that no atom is large. */
    private static final int TASKS_ACTIVATED_AT_ONCE = 1000;

    private static final int PIECES_ACTIVATED_AT_ONCE = 2;

    private final PartitionLoop loop;
    private final PartitionSettings settings;
    private final MemoryBudget.Share budget;
    private final Consumer<Throwable> ended;

    private final PartitionState state;
    private final AtomCodec codec = new AtomCodec();
    private final LogWriter log;
    private final FlushRounds rounds;
    private final Reaper reaper;
    private final Lookups lookups;
    private final Replies replies;
    private final LongPolls polls;
    private final Wakeups wakeups;
    private final Alarm alarm;
    private final Entrance entrance;

    /** The last ticket of earlier epochs. */
    private final long inheritedTicket;

    private long requests;
    private long nowMillis;
    private boolean turnEnds;
    private boolean flushScheduled;
    private boolean lookScheduled;
    private boolean activating;

    /** Requests that are decided in part. They go on a part a turn, while the log is not behind. */
    private final ArrayDeque<Request> inParts = new ArrayDeque<>();

    /** How many requests are about to leave the loop, to be decided beside it. */
    private int leaving;

    private boolean draining;
    private boolean stopped;
    private String stoppedWhy = "";

    /**
     * @param ended told once, when the epoch is over: because another owner took the partition, or because an outcome is unknown
     */
    Serving(
            int partition,
            Store store,
            PartitionLoop unguarded,
            PartitionSettings settings,
            Opening.Opened opened,
            MemoryBudget.Share budget,
            Backlog.Share backlog,
            Consumer<Throwable> ended) {
        this.loop = new GuardedLoop(unguarded, this::end);
        this.settings = settings;
        this.budget = budget;
        this.ended = ended;
        this.state = opened.state();
        this.polls = new LongPolls(state.queues().choices());
        this.wakeups = new Wakeups(loop, state, polls, this::decide);
        this.alarm = new Alarm(loop, this::onAlarm);
        this.log = new LogWriter(store, loop, settings.log(), partition, opened.tenure(), this);
        Reads reads = new Reads();
        StoreCalls calls = new StoreCalls(loop, settings.log().maxTries());
        Checkpointer checkpointer = new Checkpointer(store, loop, settings.log(), partition, opened.tenure());
        this.rounds =
                new FlushRounds(store, loop, calls, settings, state, opened.keys(), log, checkpointer, reads, this);
        this.reaper = new Reaper(store, loop, calls, state, opened.keys(), this::endTurnLater);
        StoreReader reader = new StoreReader(store, calls, state, opened.keys(), opened.rows(), reads);
        this.lookups = new Lookups(partition, loop, settings, state, budget, reader, this);
        this.inheritedTicket = opened.tenure().lastTicket();
        this.replies = new Replies(inheritedTicket);
        this.entrance = new Entrance(store::room, loop, settings, budget, backlog, state, log, this);
        reaper.reap(opened.marks());
        endTurnLater();
    }

    PartitionState state() {
        return state;
    }

    // ---------------------------------------------------------------- requests

    void submit(Command command, Node.ReplySink sink) {
        entrance.enter(new Request(command, sink, requests++, now()));
        endTurnLater();
    }

    /** Decides, whoever asks for it; what is large, after this turn and beside the loop. */
    @Override
    public void decide(Request request) {
        if (Parts.isLarge(request.command, settings.largeElements())) {
            leaving++;
            loop.executeBeside(() -> {
                leaving--;
                decideHere(request);
                endTurnLater();
            });
        } else {
            decideHere(request);
        }
    }

    /** A broken invariant ends the epoch, and the caller hears of it. */
    private void decideHere(Request request) {
        if (stopped) {
            request.fail(endOfEpoch());
            return;
        }
        try {
            decideNow(request);
        } catch (RuntimeException | AssertionError | StackOverflowError | OutOfMemoryError invariant) {
            end(invariant);
            request.fail(new TaskMasterException(ErrorCode.INTERNAL, invariant.toString(), null, invariant));
        }
    }

    private void decideNow(Request request) {
        boolean leases = Request.leaseOf(request.command) != null;
        if (leases && request.sink.isCancelled()) {
            giveUp(request);
            return;
        }
        if (leases) {
            state.advance(now());
            activate();
        }
        if (request.command instanceof Command.Update update
                && update.requestId().isPresent()
                && budget.isDedupFull()
                && !hasRoomFor(update, update.requestId().get())) {
            refuse(request, budget.dedupFull());
            return;
        }
        switch (Engine.decide(state, request.command, now(), request.onTime)) {
            case Decision.Done done -> done(request, done);
            case Decision.Partly partly -> decided(request, partly);
            case Decision.Waits waits -> {
                if (request.hasEffect() && waits.needs().stream().allMatch(Decision.MoreTasks.class::isInstance)) {
                    // The rest of a lease takes what is at hand.
                    done(request, new Decision.Done(null, new Reply.Leased(List.of()), queuesOf(waits)));
                } else {
                    lookups.park(request, waits.needs());
                }
            }
        }
    }

    private static List<QueueKey> queuesOf(Decision.Waits waits) {
        return waits.needs().stream()
                .map(need -> ((Decision.MoreTasks) need).queue())
                .toList();
    }

    /** A part takes effect now; the rest is decided in another turn, so that others come in between. */
    private void decided(Request request, Decision.Partly partly) {
        Decision.Done part = partly.part();
        ApplyAtom atom = part.atom();
        if (atom != null) {
            commit(atom);
            takenFrom(request, part);
            changed(atom, !(request.command instanceof Command.Lease));
        }
        if (request.parts == null) {
            request.parts = new Parts();
        }
        request.parts.add(part);
        request.command = partly.rest();
        unpin(request);
        inParts.add(request);
        endTurnLater();
    }

    /** A lease took tasks: others begin behind them. */
    private void takenFrom(Request request, Decision.Done done) {
        if (request.command instanceof Command.Lease lease && done.reply() instanceof Reply.Leased leased) {
            state.queues().choices().leased(lease, leased);
            done.passedOver().forEach(this::refillIfWanted);
        }
    }

    /** Whether it need not be remembered, or what is forgotten in time makes room. */
    private boolean hasRoomFor(Command.Update update, Bytes requestId) {
        state.requests().expire(nowMillis);
        budget.settle(state);
        return !budget.isDedupFull() || state.requests().find(update.group(), requestId, nowMillis) != null;
    }

    private void done(Request request, Decision.Done done) {
        ApplyAtom atom = done.atom();
        if (atom == null && request.isLongPoll() && !isFound(done.reply()) && request.deadlineMillis > nowMillis) {
            unpin(request);
            polls.add(request);
            request.sink.waits(() -> loop.execute(() -> cancel(request)));
            return;
        }
        if (atom != null) {
            if (!budget.takesQueues(state.queues().namedBy(atom))) {
                refuse(request, budget.tooManyQueues());
                return;
            }
            commit(atom);
        }
        forget(request);
        takenFrom(request, done);
        Reply reply = request.answer(done.reply());
        if (changes(request.command) || request.command instanceof Command.Lease) {
            request.sink.decided(reply);
        }
        if (atom != null || changes(request.command)) {
            // A change that turns out to change nothing may have seen what is not durable yet, and a deposed owner
            // must not give it; so it waits for the next atom, if need be an empty one.
            boolean effect = atom != null || request.hasEffect();
            replies.add(state.lastTicket() + (atom == null ? 1 : 0), effect, request.sink, reply);
        } else {
            answerLook(request, reply);
        }
        if (atom != null) {
            changed(atom, !(request.command instanceof Command.Lease));
        }
    }

    private void refuse(Request request, TaskMasterException why) {
        forget(request);
        request.sink.fail(why);
    }

    private static boolean isFound(Reply reply) {
        return reply instanceof Reply.Watched watched && watched.found();
    }

    private void cancel(Request request) {
        if (!stopped && polls.isWaiting(request)) {
            giveUp(request);
            endTurnLater();
        }
    }

    /** Nothing was found, or no more than there is already; or nobody waits for it any more. */
    @Override
    public void giveUp(Request request) {
        forget(request);
        Reply nothing =
                request.command instanceof Command.Watch ? new Reply.Watched(false) : new Reply.Leased(List.of());
        Reply answer = request.answer(nothing);
        if (request.hasEffect()) {
            request.sink.decided(answer);
        }
        answerLook(request, answer);
    }

    private void commit(ApplyAtom atom) {
        state.apply(atom, nowMillis);
        log.append(atom.ticket(), codec.encode(atom));
    }

    private static boolean changes(Command command) {
        return command instanceof Command.Update
                || command instanceof Command.Delete
                || command instanceof Command.Configure;
    }

    /**
     * Answers what changes nothing, once what it saw is durable, and once the log has shown that the partition was still ours when
     * we last read rows.
     */
    @Override
    public void answerLook(Request request, Reply reply) {
        long lastRead = Math.max(inheritedTicket, lookups.ticketAtLastResult());
        replies.add(Math.max(state.lastTicket(), lastRead + 1), request.hasEffect(), request.sink, reply);
    }

    @Override
    public boolean isLeaving() {
        return leaving > 0;
    }

    /** Tasks may have come up for lease, or run low. */
    private void changed(ApplyAtom atom, boolean byUpdate) {
        atom.options().forEach(change -> wakeups.wake(change.queue()));
        List<QueueChange> changes = atom.queues();
        for (int i = 0; i < changes.size(); i++) {
            QueueKey key = changes.get(i).queue();
            if (byUpdate) {
                wakeups.wake(key);
            }
            refillIfWanted(key);
        }
    }

    private void refillIfWanted(QueueKey key) {
        QueueState queue = state.queue(key);
        if (queue != null && state.wantsRefill(queue)) {
            lookups.refill(queue);
        }
    }

    /** The request gets its answer: nothing holds on to it any more. */
    @Override
    public void forget(Request request) {
        request.over = true;
        polls.remove(request);
        unpin(request);
    }

    private void unpin(Request request) {
        request.pinned.forEach(state::unpin);
        request.pinned.clear();
    }

    // ---------------------------------------------------------------- turns and time

    @Override
    public long now() {
        // Time never goes back within an epoch, whatever the clock does: an expired lease stays expired.
        nowMillis = Math.max(nowMillis, loop.nowMillis());
        return nowMillis;
    }

    @Override
    public void endTurnLater() {
        if (!turnEnds && !stopped) {
            turnEnds = true;
            loop.execute(this::endTurn);
        }
    }

    private void endTurn() {
        turnEnds = false;
        if (stopped) {
            return;
        }
        budget.settle(state);
        entrance.letIn();
        goOnInParts();
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
        if (replies.lastTicket() > state.lastTicket()) {
            commit(ApplyAtom.empty(state.lastTicket() + 1));
        }
        log.flush();
        entrance.appended();
        if (rounds.isDue()) {
            rounds.start();
        } else if (!flushScheduled && rounds.isNeeded()) {
            flushScheduled = true;
            loop.schedule(settings.flush().intervalMillis(), this::flushTimer);
        }
        setAlarm();
        if (lookups.isTimeBlocked()) {
            lookLater();
        }
    }

    /** Other partitions give memory back, too, and tell nobody. */
    private void lookLater() {
        if (!lookScheduled) {
            lookScheduled = true;
            loop.schedule(Entrance.LOOK_MILLIS, () -> {
                lookScheduled = false;
                endTurnLater();
            });
        }
    }

    private void goOnInParts() {
        if (!inParts.isEmpty() && !entrance.isBehind()) {
            decide(inParts.remove());
            if (!inParts.isEmpty()) {
                endTurnLater();
            }
        }
    }

    private void flushTimer() {
        flushScheduled = false;
        if (!stopped) {
            rounds.start();
            endTurnLater();
        }
    }

    /** Whoever waits for a lease or a delay to end is woken when it does. */
    private void passTime() {
        if (state.nextInstantMillis() <= now() || state.dueCount() > 0 || lookups.isTimeBehind()) {
            if (lookups.passTime()) {
                activate();
            }
            for (QueueState queue : state.takeRanOut()) {
                wakeups.wake(queue.key());
            }
        }
    }

    /**
     * Moves delayed tasks whose time has come: at most some pieces of them, so that nobody waits long for many that are due at once.
     * They are in memory already; whether more are to be read is another question.
     */
    @Override
    public boolean activate() {
        if (!activating && !draining) {
            activating = true;
            List<ApplyAtom> activated = new ArrayList<>(PIECES_ACTIVATED_AT_ONCE);
            for (int i = 0; i < PIECES_ACTIVATED_AT_ONCE && state.dueCount() > 0 && !entrance.isBehind(); i++) {
                ApplyAtom atom = Engine.activate(state, TASKS_ACTIVATED_AT_ONCE, settings.activationBytes());
                if (atom != null) {
                    commit(atom);
                    activated.add(atom);
                }
                endTurnLater();
            }
            // Only now: whoever is woken by one piece may have to take of another, which comes first in its queue.
            activated.forEach(atom -> changed(atom, true));
            activating = false;
        }
        return state.dueCount() == 0 && !budget.isDirtyFull(false);
    }

    /** Looks up when the next wait is over, and when time has something to do. */
    private void setAlarm() {
        long next = lookups.isTimeBehind() || state.dueCount() > 0 ? Long.MAX_VALUE : state.nextInstantMillis();
        next = Math.min(
                next, Math.min(polls.nextDeadlineMillis(), state.requests().nextExpiryMillis()));
        alarm.set(next, now());
    }

    private void onAlarm() {
        if (stopped) {
            return;
        }
        for (Request request : polls.expired(now())) {
            // Whoever came before may have let time pass, and so have woken him.
            if (polls.isWaiting(request)) {
                polls.remove(request);
                decide(request);
            }
        }
        if (state.requests().nextExpiryMillis() <= nowMillis) {
            state.requests().expire(nowMillis);
            reaper.sweep(nowMillis - REQUESTS_KEPT_WINDOWS * settings.engine().dedupMillis());
        }
        endTurnLater();
    }

    /** Gives up about so much memory: somebody else on the node needs it more. */
    void evict(long bytes) {
        loop.execute(() -> {
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
        entrance.committed(ticket);
        rounds.committed();
        endTurnLater();
    }

    @Override
    public void onStopped(Throwable reason) {
        end(reason);
    }

    @Override
    public void onRoundCompleted(FlushRound round) {
        budget.flushed();
        reaper.reap(round.marks());
        endTurnLater();
    }

    @Override
    public void onRoundFailed(Throwable reason) {
        end(reason);
    }

    /** Whether everything that was taken on is answered and in the rows. */
    boolean isSettled() {
        return entrance.isEmpty()
                && leaving == 0
                && inParts.isEmpty()
                && lookups.isIdle()
                && replies.isEmpty()
                && !rounds.isRunning()
                && !rounds.isNeeded()
                && log.isSettled();
    }

    /** Answers who waits, and begins a last round. */
    void drain() {
        draining = true;
        for (Request waiter : polls.all()) {
            giveUp(waiter);
        }
        rounds.start();
        endTurnLater();
    }

    private void end(Throwable reason) {
        if (!stopped) {
            stop("the partition's epoch ended: " + reason.getMessage());
            ended.accept(reason);
        }
    }

    /** Ends it here and now, as a crash would; everybody who waits is told. Idempotent. */
    void stop(String why) {
        if (stopped) {
            return;
        }
        stopped = true;
        stoppedWhy = why;
        log.stop();
        rounds.stop();
        reaper.stop();
        budget.release();
        replies.abandon(why);
        List<Request> waiting = new ArrayList<>(lookups.stop());
        waiting.addAll(polls.all());
        waiting.addAll(entrance.stop());
        waiting.addAll(inParts);
        waiting.forEach(request -> request.fail(endOfEpoch()));
    }

    private TaskMasterException endOfEpoch() {
        return new TaskMasterException(
                ErrorCode.PARTITION_OPENING, stoppedWhy, Duration.ofMillis(settings.retryDelayMillis()), null);
    }
}
