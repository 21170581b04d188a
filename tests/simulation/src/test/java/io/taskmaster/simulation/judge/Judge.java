package io.taskmaster.simulation.judge;

import io.taskmaster.command.Reply;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.server.engine.naive.Moment;
import io.taskmaster.server.engine.naive.NaiveQueues;
import io.taskmaster.server.engine.naive.Unexplained;
import io.taskmaster.simulation.world.Holder;
import io.taskmaster.simulation.world.Violation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * A linearizability check of one partition's history: it decides whether there is one order of all commands in which
 * the {@link NaiveQueues naive model} gives every recorded reply. It needs no search over all orders, since the order
 * is nearly known:
 *
 * <ul>
 *   <li>Epochs follow each other: the commands of an owner come before those of all later owners.
 *   <li>An owner answers in the order in which it decided.
 *   <li>Commands of an owner that took effect without a reply come after all that it answered: replies wait for the
 *       log, in order.
 * </ul>
 *
 * <p>Unknown are which of the commands without a reply took effect, and in which order; and of some commands the time
 * at which they were decided, which matters if a lease expired meanwhile. So the check carries a set of possible states
 * along. For each owner, in the order of epochs, it
 *
 * <ol>
 *   <li>adds the states that a hand-over can lead to, since an expired delay is recorded some time after its expiry
 *       ({@link NaiveQueues#handedOver});
 *   <li>takes each reply in turn and keeps the states in which the model gives that reply, advanced by the command. If
 *       no state is left, the history is impossible: a {@link Violation};
 *   <li>adds every state that any subset of the unanswered commands, in any order, can lead to.
 * </ol>
 *
 * <p>The last owner, which answers after all faults are healed, is asked to list, describe and peek everything.
 *
 * <p>Real time counts too. Once the successor of an owner has answered a call, the owner must not give a reply that
 * waits for the log to a command that was invoked after that. It may still answer reads from its memory.
 *
 * <p>The check is undecided, and says nothing, if it would have to carry too many states or to try too many.
 * Single-threaded: owned by the simulation.
 */
public final class Judge {

    /** The default bound on the states carried along; beyond it, the run is undecided. */
    private static final int MAX_STATES = 30_000;

    /**
     * The bound on states tried in a run, as a multiple of the bound on states at one time. Beyond it, the run is
     * undecided: a few runs would take hours.
     */
    private static final long TRIED_PER_STATE = 100;

    /** A possible state of the queues, with the time of the present owner's last decision. */
    private record State(NaiveQueues queues, long decidedMillis) {}

    private final History history;
    private final int maxStates;
    private Set<State> states;
    private int peakStates;

    /** The number of states tried so far, impossible ones included. */
    private long tried;

    /** The latest time that the clock of any owner so far has shown. */
    private long latestMillis = Long.MIN_VALUE;

    private Judge(History history, long windowMillis, int maxStates) {
        this.states = Set.of(new State(new NaiveQueues(windowMillis), Long.MIN_VALUE));
        this.history = history;
        this.maxStates = maxStates;
    }

    /**
     * Checks a history.
     *
     * @param owners the owners of the partition, by epoch
     * @param windowMillis the dedup window: the time for which owners remember request ids
     * @return the largest number of states carried along; 0 if the run is undecided
     * @throws Violation if the history is impossible
     */
    public static int judge(History history, SortedMap<Long, ? extends Holder> owners, long windowMillis) {
        return judge(history, owners, windowMillis, MAX_STATES);
    }

    /**
     * Checks a history with another bound.
     *
     * @param maxStates the bound on states carried along; a hundred times as many may be tried
     * @return the largest number of states carried along; 0 if the run is undecided
     * @throws Violation if the history is impossible
     */
    public static int judge(
            History history, SortedMap<Long, ? extends Holder> owners, long windowMillis, int maxStates) {
        Judge judge = new Judge(history, windowMillis, maxStates);
        judge.checkErrors();
        judge.checkRealTime(owners);
        for (Map.Entry<Long, ? extends Holder> owner : owners.entrySet()) {
            // The clocks of later owners count too: an owner may end before it records an expiry that its clock shows.
            long earliestMillis = owners.tailMap(owner.getKey()).values().stream()
                    .flatMap(later -> later.activeMillis(Long.MIN_VALUE, Long.MAX_VALUE).stream()
                            .limit(1))
                    .min(Comparator.naturalOrder())
                    .orElse(Long.MAX_VALUE);
            if (!judge.follow(owner.getValue(), earliestMillis)) {
                return 0;
            }
        }
        return judge.peakStates;
    }

    private void checkErrors() {
        for (Call call : history.calls()) {
            call.error().ifPresent(error -> {
                if (error.advice() != ErrorCode.Advice.RETRY_LATER
                        && error.advice() != ErrorCode.Advice.OUTCOME_UNKNOWN) {
                    throw new Violation(error + " for " + call);
                }
            });
        }
    }

    private void checkRealTime(SortedMap<Long, ? extends Holder> owners) {
        long successorAnswered = Long.MAX_VALUE;
        // From the last owner back to the first, so that the first answer of any successor is known.
        for (Holder owner : List.<Holder>copyOf(owners.values()).reversed()) {
            long first = Long.MAX_VALUE;
            for (Call call : history.repliesOf(owner)) {
                first = Math.min(first, call.answeredMicros());
                if (call.needsTheLog() && call.invokedMicros() > successorAnswered) {
                    throw new Violation("answered by a deposed owner, after its successor had answered at "
                            + successorAnswered + ": " + call + " with " + call.reply());
                }
            }
            successorAnswered = Math.min(successorAnswered, first);
        }
    }

    private boolean follow(Holder owner, long earliestMillis) {
        SortedSet<Long> clock = owner.activeMillis(Long.MIN_VALUE, Long.MAX_VALUE);
        LinkedHashSet<State> fresh = new LinkedHashSet<>();
        for (State state : states) {
            state.queues()
                    .handedOver(earliestMillis, latestMillis)
                    .forEach(queues -> fresh.add(new State(queues, Long.MIN_VALUE)));
            if (fresh.size() > maxStates) {
                return false;
            }
        }
        latestMillis = Math.max(latestMillis, clock.isEmpty() ? latestMillis : clock.last());
        states = fresh;
        for (Call call : history.repliesOf(owner)) {
            // An empty lease to a caller that has cancelled says nothing about the queues.
            if (call.isLeftToItself()) {
                continue;
            }
            if (isTooMuch(states.size())) {
                return false;
            }
            answer(call);
            peakStates = Math.max(peakStates, states.size());
        }
        List<Call> open = history.openCallsOf(owner);
        // The calls that a step has applied are a bit set in a long.
        if (open.size() > Long.SIZE - 1) {
            return false;
        }
        return doAnyOf(open);
    }

    /** Keeps the states in which the call can have been given this reply, advanced by its command. */
    private void answer(Call call) {
        Reply reply = call.reply().orElseThrow();
        LinkedHashMap<NaiveQueues, Long> next = new LinkedHashMap<>();
        LinkedHashSet<String> objections = new LinkedHashSet<>();
        for (State state : states) {
            for (long millis : Times.ofAnswered(call, state.queues(), state.decidedMillis())) {
                NaiveQueues queues = state.queues().copy();
                tried++;
                try {
                    queues.check(call.command(), reply, moment(call, millis, call.answeredMicros()));
                    // Of equal queues the one that was decided earliest is kept: it permits every time that a later one
                    // permits.
                    next.merge(queues, Math.max(millis, state.decidedMillis()), Math::min);
                } catch (Unexplained objection) {
                    objections.add(objection.getMessage());
                }
            }
        }
        if (next.isEmpty()) {
            throw new Violation("%s, answered at %.3f, cannot be. In %d states:%n  %s%nfor example with%n%s"
                    .formatted(
                            call,
                            call.answeredMicros() / 1_000.0,
                            states.size(),
                            objections.stream().limit(5).toList(),
                            states.iterator().next().queues()));
        }
        states = new LinkedHashSet<>();
        next.forEach((queues, decided) -> states.add(new State(queues, decided)));
    }

    /**
     * Adds the states that any of the calls lead to, in any order. A state that results from fewer of the calls, or
     * earlier, can become whatever the same state can become that results from more. So subsets that differ only in
     * calls without effect are not distinguished.
     *
     * @return whether the run is still decided; false if there are too many states
     */
    private boolean doAnyOf(List<Call> open) {
        Reached reached = new Reached();
        Queue<Step> todo = new ArrayDeque<>();
        for (State state : states) {
            Step step = new Step(state, 0);
            if (reached.add(step)) {
                todo.add(step);
            }
        }
        while (!todo.isEmpty()) {
            if (isTooMuch(reached.size)) {
                return false;
            }
            Step step = todo.remove();
            for (int i = 0; i < open.size(); i++) {
                if ((step.done & (1L << i)) == 0) {
                    for (State next : outcomes(step.state, open.get(i))) {
                        Step after = new Step(next, step.done | (1L << i));
                        if (reached.add(after)) {
                            todo.add(after);
                        }
                    }
                }
            }
        }
        states = new LinkedHashSet<>();
        reached.steps.values().forEach(alternatives -> alternatives.forEach(step -> states.add(step.state)));
        peakStates = Math.max(peakStates, states.size());
        return true;
    }

    /**
     * A state to which some of the calls have led.
     *
     * @param done the calls applied so far, as a bit set
     */
    private record Step(State state, long done) {

        /** Returns whether this step can become whatever another one with the same tasks can become. */
        boolean covers(Step other) {
            return (done & ~other.done) == 0 && state.decidedMillis() <= other.state.decidedMillis();
        }
    }

    /** The steps reached so far, without those that others cover. */
    private static final class Reached {

        private final Map<NaiveQueues, List<Step>> steps = new LinkedHashMap<>();
        private int size;

        boolean add(Step step) {
            List<Step> alternatives = steps.computeIfAbsent(step.state.queues(), _ -> new ArrayList<>(1));
            if (alternatives.stream().anyMatch(alternative -> alternative.covers(step))) {
                return false;
            }
            alternatives.add(step);
            size++;
            return true;
        }
    }

    private Collection<State> outcomes(State state, Call call) {
        long until = lastMicros(call);
        LinkedHashSet<State> outcomes = new LinkedHashSet<>();
        for (long millis : Times.ofOpen(call, until, state.queues(), state.decidedMillis())) {
            state.queues()
                    .unanswered(call.command(), moment(call, millis, until), history::pidsOf)
                    .forEach(queues -> outcomes.add(new State(queues, millis)));
        }
        tried += outcomes.size();
        return outcomes;
    }

    private boolean isTooMuch(int statesNow) {
        return statesNow > maxStates || tried > TRIED_PER_STATE * maxStates;
    }

    /** Returns the latest time at which an owner can have decided a call of unknown outcome. */
    private static long lastMicros(Call call) {
        return Math.min(
                call.isAnswered() ? call.answeredMicros() : Long.MAX_VALUE,
                call.owner().lastSeenMicros());
    }

    private static Moment moment(Call call, long millis, long untilMicros) {
        Holder owner = call.owner();
        return new Moment(
                millis, owner.earliestMillis(call.invokedMicros(), untilMicros), owner.latestMillis(untilMicros));
    }
}
