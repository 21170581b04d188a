package io.taskmaster.cli.common;

import io.taskmaster.client.QueueDescription;
import io.taskmaster.client.QueueOrder;
import io.taskmaster.client.QueueSummary;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

/**
 * A column of the commands {@code top} and {@code watch}. Immutable.
 *
 * @param emptyText the cell of a queue without tasks, which a server does not describe
 * @param order the order of queues by this column; absent if they cannot be ordered by it
 */
public record QueueColumn(
        String header, Function<QueueDescription, String> cell, String emptyText, Optional<QueueOrder> order) {

    private static final String UNKNOWN = "-";

    /** All columns, the most important first. */
    public static final List<QueueColumn> ALL = List.of(
            size("AVAILABLE", QueueSummary::available, QueueOrder.AVAILABLE),
            size("LEASED", QueueSummary::leased, QueueOrder.LEASED),
            size("DELAYED", QueueSummary::delayed, QueueOrder.DELAYED),
            rate("ENQUEUED/s", QueueDescription::enqueueRate, QueueOrder.ENQUEUE_RATE),
            rate("DEQUEUED/s", QueueDescription::dequeueRate, QueueOrder.DEQUEUE_RATE),
            other("OLDEST", queue -> QueueLines.age(queue.oldestAvailableAge()), Optional.of(QueueOrder.OLDEST)),
            rate("LEASED/s", QueueDescription::leaseRate, QueueOrder.LEASE_RATE),
            other("MEAN LEASE", queue -> QueueLines.age(queue.meanLease()), Optional.empty()),
            other("EXPIRED", queue -> Long.toString(queue.expiredLeases()), Optional.of(QueueOrder.EXPIRED_LEASES)),
            other("PAUSED", queue -> queue.options().paused() ? "yes" : "no", Optional.empty()));

    /** Wide enough for numbers of eight digits. */
    private static final int MIN_WIDTH = 8;

    private static QueueColumn size(String header, ToLongFunction<QueueSummary> size, QueueOrder order) {
        return new QueueColumn(
                header, queue -> Long.toString(size.applyAsLong(queue.summary())), "0", Optional.of(order));
    }

    private static QueueColumn rate(String header, ToDoubleFunction<QueueDescription> rate, QueueOrder order) {
        return other(header, queue -> QueueLines.rate(rate.applyAsDouble(queue)), Optional.of(order));
    }

    private static QueueColumn other(
            String header, Function<QueueDescription, String> cell, Optional<QueueOrder> order) {
        return new QueueColumn(header, cell, UNKNOWN, order);
    }

    public int width() {
        return Math.max(MIN_WIDTH, header.length());
    }

    /** Aligns a text to the right of the column. */
    public String align(String text) {
        return " ".repeat(Math.max(0, width() - text.length())) + text;
    }
}
