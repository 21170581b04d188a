package io.taskmaster.server.insight;

import io.taskmaster.model.FamilyName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.flow.Verdict;
import java.util.Optional;

/**
 * Tasks of a family that wait, and why. Immutable.
 *
 * @param queues of the family that have this verdict; of a family that is behind, all
 * @param tasks that are available there
 * @param queue of stuck ones, that which is stuck longest
 * @param enqueuedPerSecond in the family, lately
 * @param dequeuedPerSecond likewise
 */
public record Finding(
        Verdict verdict,
        FamilyName family,
        long queues,
        long tasks,
        Optional<QueueKey> queue,
        double enqueuedPerSecond,
        double dequeuedPerSecond) {

    /** How long the tasks take at the rate of dequeues; infinite if there are none. */
    public double secondsLeft() {
        return tasks / dequeuedPerSecond;
    }
}
