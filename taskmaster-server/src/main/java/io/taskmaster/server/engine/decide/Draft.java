package io.taskmaster.server.engine.decide;

import io.taskmaster.command.FifoPid;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.server.engine.command.ApplyAtom.QueueChange;
import io.taskmaster.server.engine.command.ApplyAtom.TaskChange;
import io.taskmaster.server.engine.command.Enqueued;
import io.taskmaster.server.engine.command.Sizes;
import io.taskmaster.server.engine.state.PartitionState;
import io.taskmaster.server.engine.state.QueueState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The state as an update in progress would leave it: a thin layer over the real state, which stays as it is.
 * Single-threaded: lives for one decision.
 */
final class Draft {

    private final PartitionState state;
    private final GroupName group;
    private final long ticket;
    private final Map<QueueName, DraftQueue> queues = new LinkedHashMap<>(4);

    Draft(PartitionState state, GroupName group, long ticket) {
        this.state = state;
        this.group = group;
        this.ticket = ticket;
    }

    DraftQueue queue(QueueName name) {
        DraftQueue queue = queues.get(name);
        if (queue == null) {
            QueueKey key = new QueueKey(group, name);
            queue = new DraftQueue(key, state.queue(key), ticket);
            queues.put(name, queue);
        }
        return queue;
    }

    /** Returns the difference to the real state. */
    List<QueueChange> changes() {
        List<QueueChange> changes = new ArrayList<>(queues.size());
        for (DraftQueue queue : queues.values()) {
            QueueChange change = queue.toChange();
            if (change != null) {
                changes.add(change);
            }
        }
        return changes;
    }

    /** A queue in the draft. */
    static final class DraftQueue {

        private final QueueKey key;
        private final @Nullable QueueState base;
        private final long generation;
        private final Map<Pid, DraftTask> tasks = new LinkedHashMap<>(4);
        private long available;
        private long leased;
        private long delayed;
        private FifoPid maxFifo;

        DraftQueue(QueueKey key, @Nullable QueueState base, long ticket) {
            this.key = key;
            this.base = base;
            // The ticket is above every generation that a queue of this name has had, so rows of those stay dead.
            this.generation = base == null ? ticket : base.generation();
            this.available = base == null ? 0 : base.available();
            this.leased = base == null ? 0 : base.leased();
            this.delayed = base == null ? 0 : base.delayed();
            this.maxFifo = base == null ? FifoPid.NONE : base.maxFifo();
        }

        /** Returns the task with this PID, whose presence or absence is known. */
        DraftTask task(Pid pid) {
            DraftTask task = tasks.get(pid);
            if (task == null) {
                task = new DraftTask(pid, base == null ? null : base.present(pid));
                tasks.put(pid, task);
            }
            return task;
        }

        /** Returns the PID for a task enqueued without one. It is unique, so that nothing need be known. */
        Pid assignPid(long ticket, int index) {
            // Assigned PIDs are in order since the queue was last empty, so an empty queue starts over.
            if (available + leased + delayed == 0) {
                maxFifo = FifoPid.NONE;
            }
            maxFifo = maxFifo.next(ticket, index);
            return maxFifo.toPid();
        }

        /** Puts a task that is new, or all of whose data are. */
        void put(DraftTask task, Enqueued data) {
            count(task, -1);
            task.put(data);
            count(task, 1);
            // A client may name a PID that looks like an assigned one. Later assigned ones have to lie above it to be
            // unique.
            FifoPid.parse(task.pid).filter(fifo -> fifo.compareTo(maxFifo) > 0).ifPresent(fifo -> maxFifo = fifo);
        }

        /** Ends the lease of a task. It may be leased again from an instant on; 0: at once. */
        void free(DraftTask task, long notBeforeMillis) {
            count(task, -1);
            task.free(notBeforeMillis);
            count(task, 1);
        }

        /** Removes a task, or puts its rerun in its place. */
        void remove(DraftTask task, long nowMillis) {
            count(task, -1);
            task.remove(nowMillis);
            count(task, 1);
        }

        private void count(DraftTask task, int sign) {
            // Also if the lease has expired: time moves no sizes (ADR 3).
            if (task.grant != null) {
                leased += sign;
            } else if (task.present && task.notBeforeMillis != 0) {
                delayed += sign;
            } else if (task.present) {
                available += sign;
            }
        }

        private @Nullable QueueChange toChange() {
            List<TaskChange> changes = new ArrayList<>(tasks.size());
            for (DraftTask task : tasks.values()) {
                TaskChange change = task.toChange();
                if (change != null) {
                    changes.add(change);
                }
            }
            return changes.isEmpty()
                    ? null
                    : new QueueChange(key, generation, false, new Sizes(available, leased, delayed), maxFifo, changes);
        }
    }
}
