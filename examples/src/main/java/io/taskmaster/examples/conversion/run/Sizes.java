package io.taskmaster.examples.conversion.run;

import io.taskmaster.client.DeadLetter;
import io.taskmaster.examples.conversion.Queues;
import io.taskmaster.examples.demo.Listing;
import io.taskmaster.model.QueueName;
import io.taskmaster.stage.TaskQueue;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Where all documents are, at one moment. Each is in one place: it waits, or backs off, or is converted, or denied. Immutable.
 *
 * @param requested all of them
 * @param waiting for their first conversion, or being converted
 * @param backingOff by their number of failures
 * @param denied after too many failures
 */
record Sizes(long requested, long waiting, Map<Integer, Long> backingOff, long converted, long denied) {

    Sizes {
        backingOff = Map.copyOf(backingOff);
    }

    static Sizes of(Listing queues) {
        Map<Integer, Long> backingOff = queues.queues().stream()
                .filter(queue -> isBackoff(queue.queue().name()))
                .collect(Collectors.toMap(
                        queue -> Integer.valueOf(
                                Queues.BACKOFF.memberOf(queue.queue().name())),
                        queue -> queue.total()));
        return new Sizes(
                queues.tasksIn(name(Queues.REQUESTED)),
                queues.tasksIn(name(Queues.CONVERT)),
                backingOff,
                queues.tasksIn(name(Queues.CONVERTED)),
                queues.tasksIn(DeadLetter::isQueueOf));
    }

    private static QueueName name(TaskQueue<?> queue) {
        return QueueName.of(queue.name());
    }

    private static boolean isBackoff(QueueName queue) {
        return queue.toString().startsWith(Queues.BACKOFF.name() + "/") && !DeadLetter.isQueueOf(queue);
    }

    boolean isOver() {
        return requested == converted + denied;
    }

    /** Whether every document is in one place, as it should always be. */
    boolean addUp() {
        long inBackoff = backingOff.values().stream().mapToLong(Long::longValue).sum();
        return requested == waiting + inBackoff + converted + denied;
    }

    /** For humans. */
    String line() {
        String after = new TreeMap<>(backingOff)
                .entrySet().stream()
                        .map(queue -> " %d after %d".formatted(queue.getValue(), queue.getKey()))
                        .collect(Collectors.joining(","));
        return "%d of %d documents converted, %d denied; %d wait%s"
                .formatted(converted, requested, denied, waiting, after.isEmpty() ? "" : "; backing off:" + after);
    }
}
