package io.taskmaster.server.engine.state;

import io.taskmaster.command.QueueOptions;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.state.FlushRound.QueueRecord;
import io.taskmaster.server.engine.state.FlushRound.ReapMark;

/**
 * The restoring of a partition's state from its records, in recovery: after the log is replayed, and before
 * {@link PartitionState#recovered}. Single-threaded: owned by the partition's loop.
 */
public final class StateRestorer {

    private final PartitionState state;

    StateRestorer(PartitionState state) {
        this.state = state;
    }

    /**
     * Restores a queue as the last complete round stored it. Called in recovery, after the replay. The log takes
     * precedence over the record.
     */
    public void restore(QueueKey key, QueueRecord record) {
        QueueState queue = state.queues.get(key);
        if (queue == null) {
            queue = state.queues.create(key, record.generation());
            state.queues.changing(queue);
            queue.sizes(record.sizes());
            state.queues.changed(queue);
            queue.maxFifo = record.maxFifo();
            queue.window.unknownFrom(record.lowWater());
        } else if (queue.generation == record.generation()) {
            // Since the record was stored, the log may have enqueued below its mark.
            Pid lowest = queue.tasks.isEmpty() ? record.lowWater() : queue.tasks.firstKey();
            queue.window.unknownFrom(lowest.compareTo(record.lowWater()) < 0 ? lowest : record.lowWater());
        }
        // Also if the record is of a dead generation: its row is there, and a later round has to replace or delete it.
        queue.recordStored = true;
    }

    /** Restores a mark for garbage that is not known to be reaped. Called in recovery. */
    public void restore(ReapMark mark) {
        state.dirty.knownMark(mark);
    }

    /** Restores options as the last complete round stored them. Called in recovery, after the replay. */
    public void restore(QueueKey key, QueueOptions stored) {
        if (!state.dirty.hasOptions(key)) {
            state.queues.options(key, stored);
        }
    }

    /** Restores the last ticket of the log. Called in recovery. */
    public void ticket(long checkpointTicket) {
        state.lastTicket = checkpointTicket;
    }
}
