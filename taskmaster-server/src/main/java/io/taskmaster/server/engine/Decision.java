package io.taskmaster.server.engine;

import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the engine makes of a command. Immutable. */
public sealed interface Decision {

    /**
     * The command is decided.
     *
     * @param atom what it changes; null: nothing
     * @param passedOver queues that had to be passed over because their heads are not in memory: to be read for whoever comes next
     */
    record Done(@Nullable ApplyAtom atom, Reply reply, List<QueueKey> passedOver) implements Decision {

        Done(@Nullable ApplyAtom atom, Reply reply) {
            this(atom, reply, List.of());
        }
    }

    /**
     * A part of the command is decided, and takes effect. So large commands that need not be of one piece are decided in several turns
     * of the loop, and others come in between.
     *
     * @param part what this part says; its reply is no answer yet
     * @param rest to be decided in another turn; the answer is made of all replies, see {@link Parts}
     */
    record Partly(Done part, Command rest) implements Decision {}

    /** The command cannot be decided before these are known; then it is to be decided anew. */
    record Waits(List<Need> needs) implements Decision {}

    /** Something to be read from the store. */
    sealed interface Need {}

    /**
     * Whether a task is stored, and what it is.
     *
     * @param withRerun what is remembered beside it as well
     */
    record TaskRow(QueueKey queue, long generation, Pid pid, boolean withRerun) implements Need {}

    /** More of the queue's head. */
    record MoreTasks(QueueKey queue) implements Need {}

    /** The stored rows of a queue from a PID on, for a peek. */
    record Rows(QueueKey queue, long generation, Pid from) implements Need {}

    /** Which queues a selector chooses, where their names are too much work to match on the way: {@link Look}. */
    record Chosen(Command.Selector selector) implements Need {}

    /** All queues that a selector chooses, added up, where they are too many to count in one go: {@link Choices#countOn}. */
    record Counted(Command.Selector selector) implements Need {}

    /** The stored time index: time cannot pass without it. */
    record Time() implements Need {}
}
