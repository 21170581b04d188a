package io.taskmaster.server.partition;

import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.Command;
import io.taskmaster.server.engine.PartitionState;
import io.taskmaster.server.engine.QueueState;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Wakes those who wait for tasks where some have come up. Single-threaded: owned by the partition's loop. */
final class Wakeups {

    /** So long after watchers were told of tasks, others are told of what is still there. */
    private static final long WATCHERS_COME_MILLIS = 50;

    private final PartitionLoop loop;
    private final PartitionState state;
    private final LongPolls polls;
    private final Consumer<Request> decide;

    /** Queues whose tasks watchers were told of, and may not come for. */
    private final Set<QueueKey> told = new HashSet<>();

    /**
     * @param decide is handed who does not wait any more
     */
    Wakeups(PartitionLoop loop, PartitionState state, LongPolls polls, Consumer<Request> decide) {
        this.loop = loop;
        this.state = state;
        this.polls = polls;
        this.decide = decide;
    }

    /** Tasks of a queue may have come up. Wakes whoever waits for them, in the order of arrival, as long as there are some. */
    void wake(QueueKey key) {
        QueueState queue = polls.isEmpty() ? null : state.queue(key);
        if (queue == null || queue.leasable() == 0) {
            return;
        }
        // A watcher leases nothing yet. No more of them are sent than there are tasks; should they not come for them,
        // others are.
        long watchersSent = 0;
        @Nullable Request waiter = polls.next(queue, null);
        while (waiter != null && queue.leasable() > watchersSent) {
            if (queue.mayServe(Objects.requireNonNull(Request.leaseOf(waiter.command)))) {
                polls.remove(waiter);
                decide.accept(waiter);
                watchersSent += waiter.over && waiter.command instanceof Command.Watch ? 1 : 0;
            }
            waiter = polls.next(queue, waiter);
        }
        if (waiter != null && watchersSent > 0 && told.add(key)) {
            loop.schedule(WATCHERS_COME_MILLIS, () -> {
                told.remove(key);
                wake(key);
            });
        }
    }
}
