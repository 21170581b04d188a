package io.taskmaster.examples.conversion.run;

import io.taskmaster.client.DeadLetter;
import io.taskmaster.examples.conversion.stage.ConversionQueues;
import io.taskmaster.examples.demo.QueueSizes;
import io.taskmaster.model.QueueName;
import io.taskmaster.stage.TaskQueue;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The numbers of documents in each state at one moment. Each document is in one state: waiting, backing off, converted
 * or denied. Immutable.
 *
 * @param requested all documents
 * @param waiting the documents that wait for their first conversion, or are being converted
 * @param backingOff the documents that failed, by their number of failures
 * @param denied the documents that failed too often
 */
record DocumentCounts(long requested, long waiting, Map<Integer, Long> backingOff, long converted, long denied) {

    DocumentCounts {
        backingOff = Map.copyOf(backingOff);
    }

    static DocumentCounts of(QueueSizes queues) {
        Map<Integer, Long> backingOff = queues.queues().stream()
                .filter(queue -> isBackoff(queue.queue().name()))
                .collect(Collectors.toMap(
                        queue -> Integer.valueOf(
                                ConversionQueues.BACKOFF.memberOf(queue.queue().name())),
                        queue -> queue.total()));
        return new DocumentCounts(
                queues.tasksIn(name(ConversionQueues.REQUESTED)),
                queues.tasksIn(name(ConversionQueues.CONVERT)),
                backingOff,
                queues.tasksIn(name(ConversionQueues.CONVERTED)),
                queues.tasksIn(DeadLetter::isQueueOf));
    }

    private static QueueName name(TaskQueue<?> queue) {
        return QueueName.of(queue.name());
    }

    private static boolean isBackoff(QueueName queue) {
        return queue.toString().startsWith(ConversionQueues.BACKOFF.name() + "/") && !DeadLetter.isQueueOf(queue);
    }

    boolean isOver() {
        return requested == converted + denied;
    }

    /** Returns whether every document is in exactly one state, which is an invariant. */
    boolean addUp() {
        long inBackoff = backingOff.values().stream().mapToLong(Long::longValue).sum();
        return requested == waiting + inBackoff + converted + denied;
    }

    /** Returns the numbers as a line for people. */
    String line() {
        String after = new TreeMap<>(backingOff)
                .entrySet().stream()
                        .map(queue -> " %d after %d".formatted(queue.getValue(), queue.getKey()))
                        .collect(Collectors.joining(","));
        return "%d of %d documents converted, %d denied; %d wait%s"
                .formatted(converted, requested, denied, waiting, after.isEmpty() ? "" : "; backing off:" + after);
    }
}
