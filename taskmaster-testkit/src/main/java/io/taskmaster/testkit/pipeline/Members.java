package io.taskmaster.testkit.pipeline;

import io.taskmaster.client.DeadLetter;
import io.taskmaster.model.QueueName;
import io.taskmaster.stage.TaskQueue;

/** A test of which queues belong to a {@link TaskQueue}: the queue itself, or the members of its family. Stateless. */
final class Members {

    private Members() {}

    static boolean has(TaskQueue<?> queue, QueueName name) {
        return queue.isFamily()
                ? name.toString().startsWith(queue.name() + "/") && !DeadLetter.isQueueOf(name)
                : name.equals(QueueName.of(queue.name()));
    }

    /** Returns whether this is the dead-letter queue of one of its queues. */
    static boolean hasDead(TaskQueue<?> queue, QueueName name) {
        return DeadLetter.isQueueOf(name) && has(queue, DeadLetter.originOf(name));
    }
}
