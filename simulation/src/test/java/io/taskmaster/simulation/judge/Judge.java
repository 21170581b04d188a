package io.taskmaster.simulation.judge;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.server.engine.Reply;
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
 * Says whether a history can be: whether there is one order of all commands in which the {@link NaiveQueues naive model} gives every
 * answer that was given. It is a check for linearisability that need not search, since the order is nearly known:
 *
 * <ul>
 *   <li>Epochs come one after the other: what an owner did comes before all that later owners did.
 *   <li>An owner answers in the order in which it decided.
 *   <li>What it did without anybody being told comes after all that it answered: its answers wait for the log, in order.
 * </ul>
 *
 * <p>Not known are which of the commands of that last kind took effect, and in which order; and of some commands the time at which
 * they were decided, which matters if a lease expired meanwhile. So a set of states is carried along: all that may be. Every
 * answer rules some of them out; when none is left, the history cannot be. The last owner, who answers when all faults are
 * healed, is asked for everything.
 *
 * <p>Real time counts too: an owner whose successor has answered somebody tells nobody any more that a command succeeded which
 * came after that. It may still answer what changes nothing, from what it knows.
 */
public final class Judge {

    /** More states than these are not looked at unless somebody says so: the run is undecided. */
    private static final int MAX_STATES = 30_000;

    /** The limit of states tried in a run, as a multiple of the limit of states at one time; beyond it, the run is undecided: a few would take hours. */
    private static final long TRIED_PER_STATE = 100;

    /** How things may stand, and the time of the last decision of the present owner. */
    private record State(NaiveQueues queues, long decidedMillis) {}

    private final History history;
    private final int maxStates;
    private Set<State> states;
    private int mostStates;

    /** The number of states tried so far, impossible ones included. */
    private long tried;

    /** The most that the clock of any owner so far has shown. */
    private long latestMillis = Long.MIN_VALUE;

    private Judge(History history, long windowMillis, int maxStates) {
        this.states = Set.of(new State(new NaiveQueues(windowMillis), Long.MIN_VALUE));
        this.history = history;
        this.maxStates = maxStates;
    }

    /**
     * Judges a history.
     *
     * @param owners who owned the partition, by epoch
     * @param windowMillis how long they remember request ids
     * @return how many states there were to carry along at most; 0: too many, so nothing is said
     * @throws Violation if it cannot be
     */
    public static int judge(History history, SortedMap<Long, ? extends Holder> owners, long windowMillis) {
        return judge(history, owners, windowMillis, MAX_STATES);
    }

    /**
     * The same, for whoever has less patience.
     *
     * @param maxStates more states than these are not looked at
     */
    public static int judge(
            History history, SortedMap<Long, ? extends Holder> owners, long windowMillis, int maxStates) {
        Judge judge = new Judge(history, windowMillis, maxStates);
        judge.checkErrors();
        judge.checkRealTime(owners);
        for (Map.Entry<Long, ? extends Holder> owner : owners.entrySet()) {
            // Also those after him: he may end before he writes down what his clock shows to be over.
            long earliestMillis = owners.tailMap(owner.getKey()).values().stream()
                    .flatMap(later -> later.activeMillis(Long.MIN_VALUE, Long.MAX_VALUE).stream()
                            .limit(1))
                    .min(Comparator.naturalOrder())
                    .orElse(Long.MAX_VALUE);
            if (!judge.follow(owner.getValue(), earliestMillis)) {
                return 0;
            }
        }
        return judge.mostStates;
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
            if (call.isLeftToItself()) {
                continue;
            }
            if (isTooMuch(states.size())) {
                return false;
            }
            answer(call);
            mostStates = Math.max(mostStates, states.size());
        }
        List<Call> open = history.openCallsOf(owner);
        if (open.size() > Long.SIZE - 1) {
            return false;
        }
        return doAnyOf(open);
    }

    /** Keeps the states in which the call can have been answered so, moved on by what it did. */
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
     * Adds all the states to which any of the calls lead, in any order. False if they are too many. What came of fewer of them, or earlier, can
     * become whatever the same state can become that came of more: so of calls that change nothing no subsets are told apart.
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
        reached.steps.values().forEach(ways -> ways.forEach(step -> states.add(step.state)));
        mostStates = Math.max(mostStates, states.size());
        return true;
    }

    /**
     * A state to which some calls have led.
     *
     * @param done which, a bit each
     */
    private record Step(State state, long done) {

        /** Whether it can become whatever the other one, with the same tasks, can become. */
        boolean covers(Step other) {
            return (done & ~other.done) == 0 && state.decidedMillis() <= other.state.decidedMillis();
        }
    }

    /** The steps so far, without those that others cover. */
    private static final class Reached {

        private final Map<NaiveQueues, List<Step>> steps = new LinkedHashMap<>();
        private int size;

        boolean add(Step step) {
            List<Step> ways = steps.computeIfAbsent(step.state.queues(), _ -> new ArrayList<>(1));
            if (ways.stream().anyMatch(way -> way.covers(step))) {
                return false;
            }
            ways.add(step);
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

    /** When an owner can have decided a call at the latest whose outcome nobody knows. */
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
