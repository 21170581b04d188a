package io.taskmaster.server.engine.command;

import io.taskmaster.command.Command;
import io.taskmaster.command.Reply;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The result of {@code Engine.decide} for a command. Immutable. */
public sealed interface Decision {

    /**
     * A command that is decided.
     *
     * @param atom its effect; null: none
     * @param skipped queues that were passed over because their heads are not in memory, to be read for the next lease
     */
    record Done(@Nullable ApplyAtom atom, Reply reply, List<QueueKey> skipped) implements Decision {

        public Done(@Nullable ApplyAtom atom, Reply reply) {
            this(atom, reply, List.of());
        }
    }

    /**
     * A command of which a part is decided, and takes effect. Large commands that need not be atomic are decided over
     * several loop ticks, and others run in between.
     *
     * @param part the decision on this part; its reply is a partial reply
     * @param remainder to be decided in another loop tick; the answer is made of all partial replies, see
     *     {@code PartialReplies}
     */
    record Partly(Done part, Command remainder) implements Decision {}

    /** A command that cannot be decided before these are known. It is decided anew then. */
    record Waits(List<Need> needs) implements Decision {}

    /** Something to be read from the store, or worked out off the loop. */
    sealed interface Need {}

    /**
     * The row of a task, if it is stored.
     *
     * @param withRerun whether its rerun is needed as well
     */
    record TaskRow(QueueKey queue, long generation, Pid pid, boolean withRerun) implements Need {}

    /** More of the queue's head. */
    record MoreTasks(QueueKey queue) implements Need {}

    /** The stored rows of a queue from a PID on, for a peek. */
    record Rows(QueueKey queue, long generation, Pid from) implements Need {}

    /**
     * The set of queues that a selector chooses, where their names are too much work to match inline:
     * {@code PatternMatchJob}.
     */
    record Chosen(Command.Selector selector) implements Need {}

    /**
     * The sum over all queues that a selector chooses, where they are too many to count in one go:
     * {@code SelectorCache.continueTotals}.
     */
    record Counted(Command.Selector selector) implements Need {}

    /** The stored time index: time cannot pass without it. */
    record Time() implements Need {}
}
