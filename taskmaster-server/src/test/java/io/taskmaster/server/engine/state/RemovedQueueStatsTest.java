package io.taskmaster.server.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.model.QueueKey;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests of the statistics of queues that come and go. */
final class RemovedQueueStatsTest {

    private final SmallPartition partition = new SmallPartition();

    @Test
    void aQueueThatComesBackKnowsWhatHappenedThereBefore() {
        QueueKey queue = QueueKey.of("q");
        partition.enqueue(queue, "1");
        partition.lease(queue, 1);
        Rates before = partition.queue(queue).rates;
        partition.dequeue(queue, "1");
        partition.flush();
        assertThat(departed()).containsExactly(queue);

        partition.enqueue(queue, "2");
        assertThat(partition.queue(queue).rates).isSameAs(before);
        assertThat(departed()).isEmpty();
    }

    @Test
    void onlyTheBusiestAreRemembered() {
        for (int i = 0; i < 3 * RemovedQueueStats.MAX; i++) {
            QueueKey queue = QueueKey.of("q" + i);
            boolean isBusy = i < RemovedQueueStats.MAX;
            partition.enqueue(queue, "1");
            for (int more = 0; isBusy && more < 5; more++) {
                partition.enqueue(queue, "1");
            }
            partition.dequeue(queue, "1");
            partition.flush();
        }
        Set<QueueKey> busy = new HashSet<>();
        for (int i = 0; i < RemovedQueueStats.MAX; i++) {
            busy.add(QueueKey.of("q" + i));
        }
        assertThat(departed()).isEqualTo(busy);
    }

    @Test
    void aQueueInWhichNothingHappenedIsNotRemembered() {
        RemovedQueueStats empty = new RemovedQueueStats();
        empty.add(QueueKey.of("q"), new Rates());
        empty.forEach((queue, _) -> assertThat(queue).isNull());
        assertThat(empty.take(QueueKey.of("q"))).isNotNull();
    }

    private Set<QueueKey> departed() {
        Set<QueueKey> names = new HashSet<>();
        partition.state.queues().removedQueueStats().forEach((queue, _) -> names.add(queue));
        return names;
    }
}
