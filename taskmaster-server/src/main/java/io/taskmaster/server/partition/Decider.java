package io.taskmaster.server.partition;

import static java.util.Objects.requireNonNull;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.ApplyAtom;
import io.taskmaster.server.engine.ApplyAtom.QueueChange;
import io.taskmaster.server.engine.Command;
import io.taskmaster.server.engine.Decision;
import io.taskmaster.server.engine.Engine;
import io.taskmaster.server.engine.PartitionState;
import io.taskmaster.server.engine.Parts;
import io.taskmaster.server.engine.QueueState;
import io.taskmaster.server.engine.Reply;
import io.taskmaster.server.heap.OutOfMemory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides requests: what they do goes into the journal, what they are told waits in {@link Replies} until it is durable. A request of which
 * something is not known is parked at the lookups, a lease that finds nothing may wait among the long polls, one that is large goes on a
 * part a turn. Single-threaded: owned by the partition's loop.
 */
final class Decider implements Lookups.Host, Entrance.Host {

    /** Delayed tasks are moved to their places in pieces of so many, so that no atom is large. */
    private static final int TASKS_ACTIVATED_AT_ONCE = 1000;

    private static final int PIECES_ACTIVATED_AT_ONCE = 2;

    private final PartitionLoop loop;
    private final Turns turns;
    private final PartitionSettings settings;
    private final PartitionState state;
    private final MemoryBudget.Share budget;
    private final Journal journal;
    private final LongPolls polls;
    private final Wakeups wakeups;
    private final Lookups lookups;
    private final Replies replies;
    private final Consumer<Throwable> broken;

    /** The last ticket of earlier epochs. */
    private final long inheritedTicket;

    /** Requests that are decided in part. They go on a part a turn, while the log is not behind. */
    private final ArrayDeque<Request> inParts = new ArrayDeque<>();

    /** How many requests are about to leave the loop, to be decided beside it. */
    private int leaving;

    private boolean activating;
    private boolean draining;

    /** What is told of the end of the epoch, once it is over. */
    private @Nullable TaskMasterException end;

    /**
     * @param lookups makes those that park what is not known, and come back with it
     * @param broken told of an invariant that does not hold: the epoch has to end
     */
    Decider(
            PartitionLoop loop,
            Turns turns,
            PartitionSettings settings,
            PartitionState state,
            MemoryBudget.Share budget,
            Journal journal,
            Replies replies,
            Function<Lookups.Host, Lookups> lookups,
            Consumer<Throwable> broken) {
        this.loop = loop;
        this.turns = turns;
        this.settings = settings;
        this.state = state;
        this.budget = budget;
        this.journal = journal;
        this.replies = replies;
        this.polls = new LongPolls(state.queues().choices());
        this.wakeups = new Wakeups(loop, state, polls, this::decide);
        this.lookups = lookups.apply(this);
        this.inheritedTicket = replies.lastTicket();
        this.broken = broken;
    }

    Lookups lookups() {
        return lookups;
    }

    /** Decides, whoever asks for it; what is large, after this turn and beside the loop. */
    @Override
    public void decide(Request request) {
        if (Parts.isLarge(request.command, settings.largeElements())) {
            leaving++;
            loop.executeBeside(() -> {
                leaving--;
                decideHere(request);
                turns.endLater();
            });
        } else {
            decideHere(request);
        }
    }

    /** A broken invariant ends the epoch, and the caller hears of it. */
    private void decideHere(Request request) {
        if (end != null) {
            tellTheEnd(request);
            return;
        }
        try {
            decideNow(request);
        } catch (RuntimeException | Error invariant) {
            OutOfMemory.notice(invariant);
            broken.accept(invariant);
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
            state.advance(turns.now());
            activate();
        }
        if (request.command instanceof Command.Update update
                && update.requestId().isPresent()
                && budget.isDedupFull()
                && !hasRoomFor(update, update.requestId().get())) {
            refuse(request, budget.dedupFull());
            return;
        }
        switch (Engine.decide(state, request.command, turns.now(), request.onTime)) {
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
            journal.commit(atom);
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
        turns.endLater();
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
        state.requests().expire(turns.lastNow());
        budget.settle(state);
        return !budget.isDedupFull() || state.requests().find(update.group(), requestId, turns.lastNow()) != null;
    }

    private void done(Request request, Decision.Done done) {
        ApplyAtom atom = done.atom();
        if (atom == null
                && request.isLongPoll()
                && !isFound(done.reply())
                && request.deadlineMillis > turns.lastNow()) {
            unpin(request);
            polls.add(request);
            request.sink.waits(() -> loop.execute(() -> cancel(request)));
            return;
        }
        if (atom != null) {
            if (!budget.takesQueues(state.queues().neededBy(atom))) {
                refuse(request, budget.tooManyQueues());
                return;
            }
            journal.commit(atom);
        }
        forget(request);
        lookups.answered(request);
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

    /** When the first long poll is over. */
    long nextDeadlineMillis() {
        return polls.nextDeadlineMillis();
    }

    /** Long polls whose time is up are answered with what there is. */
    void expirePolls() {
        for (Request request : polls.expired(turns.now())) {
            // Whoever came before may have let time pass, and so have woken him.
            if (polls.isWaiting(request)) {
                polls.remove(request);
                decide(request);
            }
        }
    }

    /** Tasks of these queues have come up without anybody's doing. */
    void wake(Iterable<QueueState> queues) {
        for (QueueState queue : queues) {
            wakeups.wake(queue.key());
        }
    }

    private void cancel(Request request) {
        if (end == null && polls.isWaiting(request)) {
            giveUp(request);
            turns.endLater();
        }
    }

    /** Nothing was found, or no more than there is already; or nobody waits for it any more. */
    @Override
    public void giveUp(Request request) {
        forget(request);
        lookups.answered(request);
        Reply nothing =
                request.command instanceof Command.Watch ? new Reply.Watched(false) : new Reply.Leased(List.of());
        Reply answer = request.answer(nothing);
        if (request.hasEffect()) {
            request.sink.decided(answer);
        }
        answerLook(request, answer);
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

    /**
     * Moves delayed tasks whose time has come: at most some pieces of them, so that nobody waits long for many that are due at once.
     * They are in memory already; whether more are to be read is another question. While the partition drains, only for those who wait for it.
     */
    @Override
    public boolean activate() {
        if (!activating && (!draining || lookups.isTimeAwaited())) {
            activating = true;
            List<ApplyAtom> activated = new ArrayList<>(PIECES_ACTIVATED_AT_ONCE);
            for (int i = 0; i < PIECES_ACTIVATED_AT_ONCE && state.dueCount() > 0 && !journal.isBehind(); i++) {
                ApplyAtom atom = Engine.activate(state, TASKS_ACTIVATED_AT_ONCE, settings.activationBytes());
                if (atom != null) {
                    journal.commit(atom);
                    activated.add(atom);
                }
                turns.endLater();
            }
            // Only now: whoever is woken by one piece may have to take of another, which comes first in its queue.
            activated.forEach(atom -> changed(atom, true));
            activating = false;
        }
        return state.dueCount() == 0 && !budget.isDirtyFull(false);
    }

    /** Goes on with what was decided in part, if there is something. */
    void goOnInParts() {
        if (!inParts.isEmpty() && !journal.isBehind()) {
            decide(inParts.remove());
            if (!inParts.isEmpty()) {
                turns.endLater();
            }
        }
    }

    /** Nothing begins any more without being asked, and nobody waits for tasks. */
    void drain() {
        draining = true;
        for (Request waiter : polls.all()) {
            giveUp(waiter);
        }
    }

    /** Whether nothing is left undecided. */
    boolean isIdle() {
        return leaving == 0 && inParts.isEmpty() && lookups.isIdle();
    }

    /** The epoch is over: whoever waits for a decision is told, and so is everybody who comes. */
    void stop(TaskMasterException told) {
        end = told;
        List<Request> waiting = new ArrayList<>(lookups.stop());
        waiting.addAll(polls.all());
        waiting.addAll(inParts);
        waiting.forEach(this::tellTheEnd);
    }

    /** Of the epoch, which is over. */
    void tellTheEnd(Request request) {
        request.fail(requireNonNull(end));
    }
}
