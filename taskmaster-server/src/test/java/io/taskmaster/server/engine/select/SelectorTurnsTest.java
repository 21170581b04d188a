package io.taskmaster.server.engine.select;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.QueueOptions;
import io.taskmaster.model.QueueKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests of the turns in which the queues of a selector are leased from. */
final class SelectorTurnsTest extends NamedQueues {

    @Test
    void whatCannotBeLeasedFromIsLeftOutUntilItCan() {
        for (int i = 0; i < 10; i++) {
            put(key(i), 1);
        }
        Selector all = pattern("q.*");
        assertThat(leaseUntilEmpty(all, 0)).hasSize(10);
        nowMillis += 60_000;
        assertThat(leaseUntilEmpty(all, 0)).as("expired").hasSize(10);
        put(key(3), 2);
        put(QueueKey.of("g", "other"), 1);
        assertThat(leaseUntilEmpty(all, 0)).as("enqueued").containsExactly(key(3));
        configure(key(5), new QueueOptions(true, 0, 1));
        nowMillis += 60_000;
        assertThat(leaseUntilEmpty(all, 0)).as("but the paused one").hasSize(10).doesNotContain(key(5));
        configure(key(5), QueueOptions.NONE);
        assertThat(leaseUntilEmpty(all, 0)).as("resumed").containsExactly(key(5));
    }

    /** The order is that of the weights, over and over, whatever the sizes of leases and wherever they end. */
    @Test
    void aQueueGivesItsWeightInTurnHoweverLargeTheLeasesAre() {
        for (int seed = 0; seed < Math.min(200, EFFORT); seed++) {
            Random random = new Random(seed);
            String name = "w" + seed + "-";
            List<QueueKey> order = new ArrayList<>();
            int queues = 1 + random.nextInt(5);
            for (int i = 0; i < queues; i++) {
                QueueKey key = QueueKey.of("g", name + i);
                int weight = 1 + random.nextInt(4);
                configure(key, new QueueOptions(true, 0, weight));
                configure(key, new QueueOptions(false, 0, QueueOptions.SAME_WEIGHT));
                put(key, 400);
                order.addAll(Collections.nCopies(weight, key));
            }
            List<QueueKey> leased = new ArrayList<>();
            while (leased.size() < 300) {
                leased.addAll(once(pattern(name + ".*"), 0, 1 + random.nextInt(12)));
            }
            for (int i = 0; i < leased.size(); i++) {
                assertThat(leased.get(i)).as("seed %d, task %d", seed, i).isEqualTo(order.get(i % order.size()));
            }
        }
    }

    @Test
    void aQueueThatRunsDryMissesTheRestOfItsTurn() {
        configure(key(0), new QueueOptions(false, 0, 3));
        put(key(0), 2);
        put(key(1), 20);
        Selector both = pattern("q.*");
        assertThat(once(both, 0, 4)).containsExactly(key(0), key(0), key(1), key(1));
        put(key(0), 20);
        assertThat(once(both, 0, 5)).containsExactly(key(0), key(0), key(0), key(1), key(0));
        assertThat(once(both, 0, 3)).as("goes on in the middle of the turn").containsExactly(key(0), key(0), key(1));
        configure(key(0), new QueueOptions(false, 0, 1));
        assertThat(once(both, 0, 3)).as("of the same weight again").containsExactly(key(0), key(1), key(0));
    }

    @Test
    void aCapCountsAfresh() {
        put(key(0), 4);
        Selector all = pattern("q.*");
        assertThat(leaseUntilEmpty(all, 1)).hasSize(1);
        assertThat(leaseUntilEmpty(all, 3)).hasSize(2);
        assertThat(leaseUntilEmpty(all, 1)).isEmpty();
        nowMillis += 60_000;
        assertThat(leaseUntilEmpty(all, 1)).hasSize(1);
        assertThat(leaseUntilEmpty(all, 0)).hasSize(3);
    }
}
