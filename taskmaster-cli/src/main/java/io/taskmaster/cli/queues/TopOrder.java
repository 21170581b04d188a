package io.taskmaster.cli.queues;

import io.taskmaster.client.QueueOrder;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The sort orders of {@code top}, each with a word for the command line and a key. Names are sorted ascending, all else
 * descending.
 */
enum TopOrder {
    AVAILABLE(QueueOrder.AVAILABLE, 'a'),
    LEASED(QueueOrder.LEASED, 'l'),
    DELAYED(QueueOrder.DELAYED, 'y'),
    TASKS(QueueOrder.TASKS, 't'),
    OLDEST(QueueOrder.OLDEST, 'o'),
    ENQUEUED(QueueOrder.ENQUEUE_RATE, 'e'),
    DEQUEUED(QueueOrder.DEQUEUE_RATE, 'd'),
    LEASES(QueueOrder.LEASE_RATE, 's'),
    EXPIRED(QueueOrder.EXPIRED_LEASES, 'x'),
    NAME(QueueOrder.NAME, 'n');

    private final QueueOrder order;
    private final char key;

    TopOrder(QueueOrder order, char key) {
        this.order = order;
        this.key = key;
    }

    static Optional<TopOrder> of(int key) {
        return Arrays.stream(values()).filter(one -> one.key == key).findFirst();
    }

    QueueOrder order() {
        return order;
    }

    char key() {
        return key;
    }

    boolean isDescending() {
        return this != NAME;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
