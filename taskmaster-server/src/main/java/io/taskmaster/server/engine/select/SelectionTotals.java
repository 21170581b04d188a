package io.taskmaster.server.engine.select;

import io.taskmaster.command.QueueOptions;
import io.taskmaster.command.Reply.Description;
import io.taskmaster.command.Reply.Summary;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.server.engine.state.QueueState;
import io.taskmaster.server.engine.state.Rates;
import java.util.List;

/** The aggregate over several queues. Single-threaded. */
public final class SelectionTotals {

    private static final QueueKey NO_QUEUE = new QueueKey(GroupName.EMPTY, QueueName.EMPTY);

    private long queues;
    private long available;
    private long leased;
    private long delayed;
    private final Rates rates = new Rates();
    private long oldestMillis = Long.MAX_VALUE;

    /** Adds a queue that is not part of it yet. A queue that listings do not show does not count. */
    public void add(QueueState queue, long nowMillis) {
        if (queue.isShown()) {
            resize(queue, 1);
            rates.add(queue.rates(), nowMillis);
            oldestMillis = Math.min(oldestMillis, queue.oldestReadyMillis());
        }
    }

    /**
     * Adds the sizes of a queue, or takes them out.
     *
     * @param sign 1 or -1
     */
    void resize(QueueState queue, int sign) {
        queues += queue.isShown() ? sign : 0;
        available += sign * queue.availableNow();
        leased += sign * queue.leasedNow();
        delayed += sign * queue.delayedNow();
    }

    /** The number of queues that listings show. */
    public long queues() {
        return queues;
    }

    public Description toDescription(long nowMillis) {
        return new Description(
                new Summary(NO_QUEUE, available, leased, delayed),
                rates.enqueuesPerSecond(nowMillis),
                rates.leasesPerSecond(nowMillis),
                rates.dequeuesPerSecond(nowMillis),
                rates.meanLeaseMillis(),
                QueueState.age(oldestMillis, nowMillis),
                rates.counts(),
                0,
                QueueOptions.NONE,
                List.of());
    }
}
