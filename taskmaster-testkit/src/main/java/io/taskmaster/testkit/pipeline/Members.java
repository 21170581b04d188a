package io.taskmaster.testkit.pipeline;

import io.taskmaster.client.DeadLetter;
import io.taskmaster.model.QueueName;
import io.taskmaster.stage.TaskQueue;

/** Which queues belong to which {@link TaskQueue}: itself, or the members of the family. Stateless. */
final class Members {

    private Members() {}

    static boolean has(TaskQueue<?> queue, QueueName name) {
        return queue.isFamily()
                ? name.toString().startsWith(queue.name() + "/") && !DeadLetter.isQueueOf(name)
                : name.equals(QueueName.of(queue.name()));
    }

    /** Whether these are dead letters of one of its queues. */
    static boolean hasDead(TaskQueue<?> queue, QueueName name) {
        return DeadLetter.isQueueOf(name) && has(queue, DeadLetter.originOf(name));
    }
}
