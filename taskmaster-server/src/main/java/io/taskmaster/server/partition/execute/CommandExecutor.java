package io.taskmaster.server.partition.execute;

import static java.util.Objects.requireNonNull;

import io.taskmaster.command.Command;
import io.taskmaster.command.Reply;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.QueueKey;
import io.taskmaster.proxy.heap.OutOfMemory;
import io.taskmaster.server.engine.command.ApplyAtom;
import io.taskmaster.server.engine.command.ApplyAtom.QueueChange;
import io.taskmaster.server.engine.command.Decision;
import io.taskmaster.server.engine.decide.Engine;
import io.taskmaster.server.engine.decide.PartialReplies;
import io.taskmaster.server.engine.index.EngineState;
import io.taskmaster.server.engine.state.PartitionState;
import io.taskmaster.server.engine.state.QueueState;
import io.taskmaster.server.partition.budget.MemoryBudget;
import io.taskmaster.server.partition.commit.Journal;
import io.taskmaster.server.partition.commit.Replies;
import io.taskmaster.server.partition.commit.Request;
import io.taskmaster.server.partition.commit.RequestFlow;
import io.taskmaster.server.partition.context.PartitionContext;
import io.taskmaster.server.partition.context.PartitionSettings;
import io.taskmaster.server.partition.loop.TickedLoop;
import io.taskmaster.server.partition.read.StateLoader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The decisions of a partition: every admitted request passes through here, as often as it takes until it can be
 * answered. Single-threaded: owned by the partition's loop.
 *
 * <p>A decision is a pure function, {@link Engine#decide}, of the state in memory, the command and the time. This class
 * acts on its result. A change goes to the {@link Journal} at once, so the next decision sees it. Its reply waits in
 * {@link Replies} until the log is durable. The states of a request:
 *
 * <pre>{@code
 * state    | event                                       | next state | effect
 * ---------+---------------------------------------------+------------+---------------------------------------------
 * admitted | large update                                | offloaded  | other partitions of the loop go on (ADR 9)
 * offloaded| the strand is free                          | admitted   | decided off the loop, by the same code
 * admitted | Done, with an atom                          | answered   | atom committed, reply waits for its ticket
 * admitted | Done, nothing found, long poll, in time     | polling    | waits in LongPolls; answered in a drain
 * admitted | Done, otherwise                             | answered   | reply waits until what it saw is durable
 * admitted | Partly                                      | in parts   | the part takes effect, the rest is queued
 * admitted | Waits                                       | parked     | waits in StateLoader for its needs
 * admitted | Waits for more tasks, lease with a part     | answered   | with the tasks leased so far
 * admitted | no memory for its request id or new queues  | refused    | DEDUP_FULL, TOO_MANY_QUEUES
 * in parts | next loop tick, log not behind              | admitted   | decided again, first in, first out
 * parked   | the last need is met                        | admitted   | decided again
 * parked   | a read failed                               | refused    | READ_FAILED; a lease with a part gets that
 * polling  | tasks came up, or the deadline passed       | admitted   | decided again
 * polling  | cancelled, or the partition drains          | answered   | with nothing, or with the part there is
 * any      | the epoch ended                             | refused    | PARTITION_OPENING; in part: OUTCOME_UNKNOWN
 * }</pre>
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>Nothing is answered before it is known that this owner was still the owner: a change waits for its own ticket,
 *       a read for the last ticket that it saw and for a ticket after the last read of rows. So a deposed owner never
 *       gives an answer.
 *   <li>A request that is over has no entry in the long polls and pins no task.
 *   <li>An exception in a decision is a broken invariant: the epoch ends, and recovery starts from what is durable.
 *   <li>While an update is about to leave the loop, no write is admitted behind it ({@link #isOffloading}, ADR 9).
 * </ul>
 *
 * <p>Before every lease time passes, and delayed tasks that are due are moved, a bounded number of pieces at a time
 * (ADR 7).
 */
public final class CommandExecutor implements RequestFlow {

    /** The number of delayed tasks that one piece moves to their places, so that no atom is large. */
    private static final int TASKS_ACTIVATED_AT_ONCE = 1000;

    private static final int PIECES_ACTIVATED_AT_ONCE = 2;

    private final TickedLoop loop;
    private final PartitionSettings settings;
    private final EngineState engine;
    private final PartitionState state;
    private final MemoryBudget.Share budget;
    private final Journal journal;
    private final LongPolls polls;
    private final Wakeups wakeups;
    private final StateLoader stateLoader;
    private final Replies replies;
    private final Consumer<Throwable> broken;

    /** The last ticket of earlier epochs. */
    private final long inheritedTicket;

    /** The requests that are decided in part. One of them goes on in each loop tick, while the log is not behind. */
    private final ArrayDeque<Request> partialRequests = new ArrayDeque<>();

    /** The number of requests that are about to leave the loop, to be decided off it. */
    private int offloaded;

    private boolean activating;
    private boolean draining;

    /** The failure of all requests once the epoch is over; null before. */
    private @Nullable TaskMasterException end;

    /**
     * Creates the executor of a partition.
     *
     * @param stateLoaderFactory makes the state loader, which parks requests and returns them once their needs are met
     * @param broken notified of a broken invariant: the epoch has to end
     */
    public CommandExecutor(
            PartitionContext context,
            Journal journal,
            Replies replies,
            Function<RequestFlow, StateLoader> stateLoaderFactory,
            Consumer<Throwable> broken) {
        this.loop = context.loop();
        this.settings = context.settings();
        this.engine = context.engine();
        this.state = context.state();
        this.budget = context.budget();
        this.journal = journal;
        this.replies = replies;
        this.polls = new LongPolls(context.selectors());
        this.wakeups = new Wakeups(loop, state, polls, this::decide);
        this.stateLoader = stateLoaderFactory.apply(this);
        this.inheritedTicket = replies.lastTicket();
        this.broken = broken;
    }

    public StateLoader stateLoader() {
        return stateLoader;
    }

    /** Decides a request. A large one is decided after this loop tick, off the loop. */
    @Override
    public void decide(Request request) {
        if (PartialReplies.isLarge(request.command(), settings.largeElements())) {
            // Counted from here on and not from its departure: admission control must see it within this tick (ADR 9).
            offloaded++;
            loop.offload(() -> {
                // It is off the loop by now, and the strand keeps everything else of the partition behind it.
                offloaded--;
                decideGuarded(request);
            });
        } else {
            decideGuarded(request);
        }
    }

    /** Decides on this thread. A broken invariant ends the epoch, and the request fails with it. */
    private void decideGuarded(Request request) {
        if (end != null) {
            failWithEnd(request);
            return;
        }
        try {
            decideNow(request);
        } catch (RuntimeException | Error invariant) {
            OutOfMemory.notice(invariant);
            broken.accept(invariant);
            // The end of the epoch has failed all requests that wait somewhere, but this one waits nowhere.
            request.fail(new TaskMasterException(ErrorCode.INTERNAL, invariant.toString(), null, invariant));
        }
    }

    private void decideNow(Request request) {
        boolean leases = Request.leaseOf(request.command()) != null;
        // Checked before the decision: tasks leased for a caller that is gone would be unavailable until the lease
        // expires.
        if (leases && request.sink().isCancelled()) {
            finishEarly(request);
            return;
        }
        if (leases) {
            state.advance(loop.nowMillis());
            activate();
        }
        if (request.command() instanceof Command.Update update
                && update.requestId().isPresent()
                && budget.isDedupFull()
                && !hasDedupCapacity(update, update.requestId().get())) {
            refuse(request, budget.dedupFull());
            return;
        }
        // Read once: a decision at a later time than the one that was passed would have to wait for it.
        long nowMillis = loop.nowMillis();
        if (Engine.dependsOnTime(request.command())) {
            // As far as it can, also for a command that does not wait for the rest.
            state.advance(nowMillis);
        }
        switch (Engine.decide(engine, request.command(), nowMillis, request.isOnTime())) {
            case Decision.Done done -> done(request, done);
            case Decision.Partly partly -> decided(request, partly);
            case Decision.Waits waits -> {
                if (request.hasEffect() && waits.needs().stream().allMatch(Decision.MoreTasks.class::isInstance)) {
                    // The rest of a lease is content with the tasks in memory.
                    done(request, new Decision.Done(null, new Reply.Leased(List.of()), queuesOf(waits)));
                } else {
                    stateLoader.park(request, waits.needs());
                }
            }
        }
    }

    private static List<QueueKey> queuesOf(Decision.Waits waits) {
        return waits.needs().stream()
                .map(need -> ((Decision.MoreTasks) need).queue())
                .toList();
    }

    /**
     * Lets a part take effect now; the rest is decided in a later loop tick, so that other requests are decided in
     * between.
     */
    private void decided(Request request, Decision.Partly partly) {
        Decision.Done part = partly.part();
        ApplyAtom atom = part.atom();
        if (atom != null) {
            journal.commit(atom);
            recordLease(request, part);
            changed(atom, !(request.command() instanceof Command.Lease));
        }
        request.addPart(part, partly.remainder());
        unpin(request);
        partialRequests.add(request);
        loop.scheduleTick();
    }

    /** Records that a lease took tasks: the next lease of the selector begins behind them. */
    private void recordLease(Request request, Decision.Done done) {
        if (request.command() instanceof Command.Lease lease && done.reply() instanceof Reply.Leased leased) {
            engine.selectors().leased(lease, leased);
            done.skipped().forEach(this::refillIfNeeded);
        }
    }

    /** Returns true if the request id is remembered already, or if forgetting expired ids frees enough memory. */
    private boolean hasDedupCapacity(Command.Update update, Bytes requestId) {
        state.requests().expire(loop.lastNowMillis());
        budget.settle(state);
        return !budget.isDedupFull() || state.requests().find(update.group(), requestId, loop.lastNowMillis()) != null;
    }

    private void done(Request request, Decision.Done done) {
        ApplyAtom atom = done.atom();
        if (atom == null
                && request.isLongPoll()
                && !isFound(done.reply())
                && !draining
                && request.deadlineMillis() > loop.lastNowMillis()) {
            unpin(request);
            polls.add(request);
            request.sink().waits(() -> loop.execute(() -> cancel(request)));
            return;
        }
        if (atom != null) {
            // Before the commit: an atom in the log cannot be taken back.
            if (!budget.reserveQueues(state.queues().neededBy(atom))) {
                refuse(request, budget.tooManyQueues());
                return;
            }
            journal.commit(atom);
        }
        forget(request);
        stateLoader.onReply(request);
        recordLease(request, done);
        Reply reply = request.mergeReply(done.reply());
        if (changes(request.command()) || request.command() instanceof Command.Lease) {
            request.sink().decided(reply);
        }
        if (atom != null || changes(request.command())) {
            // A change that turns out to change nothing may have seen state that is not durable yet, and a deposed
            // owner must not answer it. So it waits for the next atom, an empty one if there is no other.
            boolean effect = atom != null || request.hasEffect();
            replies.add(state.lastTicket() + (atom == null ? 1 : 0), effect, request.sink(), reply);
        } else {
            replyToRead(request, reply);
        }
        if (atom != null) {
            // Last, since waiters that it wakes are decided at once: their replies belong behind this one.
            changed(atom, !(request.command() instanceof Command.Lease));
        }
    }

    private void refuse(Request request, TaskMasterException error) {
        forget(request);
        request.sink().fail(error);
    }

    private static boolean isFound(Reply reply) {
        return reply instanceof Reply.Watched watched && watched.found();
    }

    /** The deadline of the first long poll. */
    public long nextDeadlineMillis() {
        return polls.nextDeadlineMillis();
    }

    /** Decides long polls whose deadline has passed; they are answered with what is available. */
    public void expirePolls() {
        for (Request request : polls.expired(loop.nowMillis())) {
            // Deciding an earlier one may have let time pass, and so have woken this one.
            if (polls.isWaiting(request)) {
                polls.remove(request);
                decide(request);
            }
        }
    }

    /** Wakes the waiters for tasks of these queues, which came up because a lease or a delay ended. */
    public void wake(Iterable<QueueState> queues) {
        for (QueueState queue : queues) {
            wakeups.wake(queue.key());
        }
    }

    private void cancel(Request request) {
        if (end == null && polls.isWaiting(request)) {
            finishEarly(request);
        }
    }

    /**
     * Answers a lease with what it has so far, or a watch with nothing: nothing more was found, or its caller is gone.
     */
    @Override
    public void finishEarly(Request request) {
        forget(request);
        stateLoader.onReply(request);
        Reply empty =
                request.command() instanceof Command.Watch ? new Reply.Watched(false) : new Reply.Leased(List.of());
        Reply reply = request.mergeReply(empty);
        if (request.hasEffect()) {
            request.sink().decided(reply);
        }
        replyToRead(request, reply);
    }

    private static boolean changes(Command command) {
        return command instanceof Command.Update
                || command instanceof Command.Delete
                || command instanceof Command.Configure;
    }

    /**
     * Answers a request that changes nothing, once what it saw is durable, and once the log has proved that this owner
     * still owned the partition when it last read rows.
     */
    @Override
    public void replyToRead(Request request, Reply reply) {
        // A later owner may have written what was read, and an epoch without a committed row proves nothing of its own
        // (ADR 4). Only a ticket above those known by then shows that there was no later owner.
        long lastRead = Math.max(inheritedTicket, stateLoader.ticketAtLastResult());
        replies.add(Math.max(state.lastTicket(), lastRead + 1), request.hasEffect(), request.sink(), reply);
    }

    @Override
    public boolean isOffloading() {
        return offloaded > 0;
    }

    /** Wakes waiters for tasks that have come up, and refills queues whose windows run low. */
    private void changed(ApplyAtom atom, boolean byUpdate) {
        atom.options().forEach(change -> wakeups.wake(change.queue()));
        List<QueueChange> changes = atom.queues();
        for (int i = 0; i < changes.size(); i++) {
            QueueKey key = changes.get(i).queue();
            // A lease only takes tasks, so its queues hold nothing new for a waiter.
            if (byUpdate) {
                wakeups.wake(key);
            }
            refillIfNeeded(key);
        }
    }

    private void refillIfNeeded(QueueKey key) {
        QueueState queue = state.queue(key);
        if (queue != null && state.needsRefill(queue)) {
            stateLoader.refill(queue);
        }
    }

    /**
     * Releases everything that a request holds: its place among the long polls and its pinned tasks. Its answer
     * follows.
     */
    @Override
    public void forget(Request request) {
        request.end();
        polls.remove(request);
        unpin(request);
    }

    private void unpin(Request request) {
        request.takePinned().forEach(state.reads()::unpin);
    }

    /**
     * Moves delayed tasks that are due: a bounded number of pieces, so that many that are due at once delay no request
     * for long. These tasks are in memory already; the result says if more may be read. While the partition drains, it
     * moves tasks only for requests that wait for time to pass.
     *
     * @return true if all due tasks in memory are moved and there is dirty memory for more
     */
    @Override
    public boolean activate() {
        if (!activating && (!draining || stateLoader.isTimeAwaited())) {
            // Waking waiters decides leases, and every lease comes here: without the flag the moves would nest.
            activating = true;
            List<ApplyAtom> activated = new ArrayList<>(PIECES_ACTIVATED_AT_ONCE);
            for (int i = 0; i < PIECES_ACTIVATED_AT_ONCE && state.dueCount() > 0 && !journal.isBehind(); i++) {
                ApplyAtom atom = Engine.activate(state, TASKS_ACTIVATED_AT_ONCE, settings.activationBytes());
                if (atom != null) {
                    journal.commit(atom);
                    activated.add(atom);
                }
                loop.scheduleTick();
            }
            // Only after all pieces: a waiter woken by one piece may have to take a task of a later one, which comes
            // first in its queue.
            activated.forEach(atom -> changed(atom, true));
            activating = false;
        }
        return state.dueCount() == 0 && !budget.isDirtyFull(false);
    }

    /** Decides the next part of the oldest request that is decided in part, if the log is not behind. */
    public void continuePartialRequest() {
        if (!partialRequests.isEmpty() && !journal.isBehind()) {
            // Removed first: what is left of it after this part is queued behind the other large requests.
            decide(partialRequests.remove());
            if (!partialRequests.isEmpty()) {
                loop.scheduleTick();
            }
        }
    }

    /** Stops moving delayed tasks on its own initiative, and ends all long polls. */
    public void drain() {
        draining = true;
        for (Request waiter : polls.all()) {
            finishEarly(waiter);
        }
    }

    /** Returns true if no request is undecided. */
    public boolean isIdle() {
        return offloaded == 0 && partialRequests.isEmpty() && stateLoader.isIdle();
    }

    /** Ends all undecided requests, and those that come later, with this failure: the epoch is over. */
    public void stop(TaskMasterException error) {
        end = error;
        // Requests that are leaving the loop are in none of these; decideGuarded fails them when their turn comes.
        List<Request> pending = new ArrayList<>(stateLoader.stop());
        pending.addAll(polls.all());
        pending.addAll(partialRequests);
        pending.forEach(this::failWithEnd);
    }

    /** Fails a request because the epoch is over. */
    public void failWithEnd(Request request) {
        request.fail(requireNonNull(end));
    }
}
