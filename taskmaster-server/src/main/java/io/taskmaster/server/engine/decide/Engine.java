package io.taskmaster.server.engine.decide;

import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Peek;
import io.taskmaster.command.QueueOptions;
import io.taskmaster.command.Reply;
import io.taskmaster.model.Pid;
import io.taskmaster.server.engine.command.ApplyAtom;
import io.taskmaster.server.engine.command.Decision;
import io.taskmaster.server.engine.index.EngineState;
import io.taskmaster.server.engine.select.SelectorCache;
import io.taskmaster.server.engine.state.PartitionState;
import io.taskmaster.server.engine.state.QueueState;
import io.taskmaster.server.engine.state.StoredTask;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The decision on commands: a pure function of state, command and time
 * ({@code docs/adr/0001-single-writer-and-pure-engine.md}). A decision takes effect only by
 * {@link PartitionState#apply}. Time does not pass here either: the caller lets it pass before, by
 * {@link PartitionState#advance}, where the decision {@linkplain #dependsOnTime depends on it}. Stateless.
 */
public final class Engine {

    private Engine() {}

    /**
     * Decides a command, or returns what must be known first.
     *
     * @param nowMillis never less than at the decision before
     */
    public static Decision decide(EngineState engine, Command command, long nowMillis) {
        return decide(engine, command, nowMillis, true);
    }

    /**
     * Decides a command, or returns what must be known first.
     *
     * @param onTime whether to wait until time has passed as far as now; otherwise leases that have expired and delays
     *     that are over, but are not counted yet, count as if they had not
     */
    public static Decision decide(EngineState engine, Command command, long nowMillis, boolean onTime) {
        PartitionState state = engine.partition();
        if (onTime && dependsOnTime(command) && !state.isOnTime(nowMillis)) {
            return new Decision.Waits(List.of(new Decision.Time()));
        }
        SelectorCache selectors = engine.selectors();
        Command.Selector selector = selectorOf(command);
        if (selector != null && !selectors.isKnown(selector)) {
            return new Decision.Waits(List.of(new Decision.Chosen(selector)));
        }
        return switch (command) {
            case Command.Update update -> UpdateDecision.decide(state, update, nowMillis);
            case Command.Lease lease -> LeaseDecision.decide(state, selectors, lease, nowMillis);
            case Command.Watch watch -> LeaseDecision.watch(state, selectors, watch.lease(), nowMillis);
            case Command.ListQueues list -> QueueInspection.list(state, selectors, list);
            case Command.Describe describe -> QueueInspection.describe(state, selectors, describe, nowMillis);
            case Peek peek -> PeekDecision.decide(state, peek, nowMillis);
            case Command.Delete delete -> QueueInspection.delete(state, selectors, delete);
            case Command.Configure configure -> configure(state, configure);
        };
    }

    /**
     * Answers a peek from the rows that it had to wait for; see {@link Decision.Rows}. Tasks that came before them in
     * the queue since the read began are in memory, and are part of the answer.
     *
     * @param end where the scan ended; absent: at the end of the queue. If the answer is empty and has a next PID, the
     *     read goes on there, and begins before this read counts as ended
     */
    public static Reply.Peeked peeked(
            PartitionState state, Peek peek, List<StoredTask> rows, Optional<Pid> end, long nowMillis) {
        QueueState queue = state.queue(peek.queue());
        return queue == null
                ? new Reply.Peeked(List.of(), Optional.empty())
                : PeekDecision.fromRows(queue, peek, rows, end, nowMillis);
    }

    /**
     * Decides the move of delayed tasks whose time has come to their places; to be applied like the atom of any
     * command.
     *
     * @param maxBytes bound on their data, for all but the first
     * @return null if there are none
     */
    public static @Nullable ApplyAtom activate(PartitionState state, int maxTasks, long maxBytes) {
        return Activation.decide(state, maxTasks, maxBytes);
    }

    private static Decision configure(PartitionState state, Command.Configure configure) {
        QueueOptions before = state.queues().options(configure.queue());
        QueueOptions after = configure.options().appliedTo(before);
        ApplyAtom.OptionsChange change = new ApplyAtom.OptionsChange(configure.queue(), after);
        boolean changes = !after.equals(before);
        return new Decision.Done(
                changes ? new ApplyAtom(state.lastTicket() + 1, List.of(), List.of(change), null) : null,
                new Reply.Configured());
    }

    /** Returns the selector of a command whose cost is that of finding its queues; null: of another command. */
    private static Command.@Nullable Selector selectorOf(Command command) {
        return switch (command) {
            case Command.Lease lease -> lease.selector();
            case Command.Watch watch -> watch.lease().selector();
            case Command.ListQueues list -> list.selector();
            case Command.Describe describe -> describe.selector();
            case Command.Delete delete -> delete.selector();
            case Command.Update _, Peek _, Command.Configure _ -> null;
        };
    }

    /**
     * Returns whether the answer depends on the number of expired leases. Updates and peeks look at the leases of their
     * own tasks.
     */
    public static boolean dependsOnTime(Command command) {
        return !(command instanceof Command.Update || command instanceof Peek || command instanceof Command.Configure);
    }
}
