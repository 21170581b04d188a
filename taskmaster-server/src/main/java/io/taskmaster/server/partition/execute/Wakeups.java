package io.taskmaster.server.partition.execute;

import io.taskmaster.command.Command;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.state.PartitionState;
import io.taskmaster.server.engine.state.QueueState;
import io.taskmaster.server.partition.commit.Request;
import io.taskmaster.server.partition.loop.PartitionLoop;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The waking of waiters when tasks come up in their queues. Single-threaded: owned by the partition's loop. */
final class Wakeups {

    /** The delay between waking watchers and offering the tasks that are still there to other waiters. */
    private static final long WATCHER_GRACE_MILLIS = 50;

    private final PartitionLoop loop;
    private final PartitionState state;
    private final LongPolls polls;
    private final Consumer<Request> decide;

    /** The queues whose tasks watchers were notified of and may not lease. */
    private final Set<QueueKey> scheduled = new HashSet<>();

    /**
     * Creates the wakeups of a partition.
     *
     * @param decide receives each waiter that is woken
     */
    Wakeups(PartitionLoop loop, PartitionState state, LongPolls polls, Consumer<Request> decide) {
        this.loop = loop;
        this.state = state;
        this.polls = polls;
        this.decide = decide;
    }

    /** Wakes the waiters for tasks of a queue, in the order of arrival, as long as there are tasks available. */
    void wake(QueueKey key) {
        QueueState queue = polls.isEmpty() ? null : state.queue(key);
        if (queue == null || queue.leasable() == 0) {
            return;
        }
        // A watcher leases nothing yet. No more watchers are notified than there are tasks; if they do not lease them,
        // other waiters are woken after a delay.
        long watchersReplied = 0;
        @Nullable Request waiter = polls.next(queue, null);
        while (waiter != null && queue.leasable() > watchersReplied) {
            if (queue.mayServe(Objects.requireNonNull(Request.leaseOf(waiter.command())))) {
                polls.remove(waiter);
                decide.accept(waiter);
                watchersReplied += waiter.isEnded() && waiter.command() instanceof Command.Watch ? 1 : 0;
            }
            // By position and not by an iterator: deciding a waiter may add and remove others.
            waiter = polls.next(queue, waiter);
        }
        if (waiter != null && watchersReplied > 0 && scheduled.add(key)) {
            loop.schedule(WATCHER_GRACE_MILLIS, () -> {
                scheduled.remove(key);
                wake(key);
            });
        }
    }
}
