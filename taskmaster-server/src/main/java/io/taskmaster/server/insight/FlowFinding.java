package io.taskmaster.server.insight;

import io.taskmaster.command.Verdict;
import io.taskmaster.model.FamilyName;
import io.taskmaster.model.QueueKey;
import java.util.Optional;

/**
 * A finding: tasks of a family that wait, and why. Immutable.
 *
 * @param verdict the reason
 * @param family the family
 * @param queues the number of queues of the family with this verdict; of a family that is behind, all
 * @param tasks the number of available tasks in them
 * @param queue if they are stuck, the queue that has been stuck longest
 * @param enqueuedPerSecond the recent rate of enqueues in the family
 * @param dequeuedPerSecond the recent rate of dequeues in the family
 */
public record FlowFinding(
        Verdict verdict,
        FamilyName family,
        long queues,
        long tasks,
        Optional<QueueKey> queue,
        double enqueuedPerSecond,
        double dequeuedPerSecond) {

    /** Returns the time that the tasks take at the rate of dequeues, in seconds; infinite if there are none. */
    public double secondsLeft() {
        return tasks / dequeuedPerSecond;
    }
}
