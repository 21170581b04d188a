package io.taskmaster.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.Command.Payload;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What goes first when memory is short, how much of it, and what stays. */
final class ResidencyTest {

    private static final QueueKey IDLE = QueueKey.of("z idle");
    private static final QueueKey USED = QueueKey.of("a used");
    private static final Payload LARGE = new Payload(Bytes.wrap(new byte[1_000]), Map.of());

    private final SmallPartition partition = new SmallPartition(new EngineSettings(1, 2, 120_000));

    @Test
    void theQueueIdleLongestGoesFirstFromItsTail() {
        partition.enqueue(IDLE, "a", "b", "c", "d");
        partition.enqueue(USED, "a", "b", "c", "d");
        partition.lease(USED, 1);
        partition.flush();
        partition.state.evict(1);
        assertThat(there(IDLE)).isEqualTo("abc");
        partition.state.evict(2 * bytesOf(IDLE, "a"));
        assertThat(there(IDLE)).isEqualTo("a");
        assertThat(there(USED)).isEqualTo("abcd");
    }

    @Test
    void theHeadOfTheQueueThatWasUsedLastStays() {
        partition.enqueue(IDLE, "a", "b", "c", "d");
        partition.enqueue(USED, "a", "b", "c", "d");
        partition.lease(USED, 1);
        partition.flush();
        partition.state.evict(Long.MAX_VALUE);
        assertThat(there(IDLE)).isEmpty();
        assertThat(there(USED)).as("the leased one, and two to lease").isEqualTo("abc");
        assertThat(partition.state.queue(IDLE)).isNotNull();
    }

    @Test
    void whatIsDirtyStaysAndCountsAsGivenUpAllTheSame() {
        partition.enqueue(IDLE, "a", "b");
        partition.enqueue(USED, "a", "b", "c");
        partition.lease(USED, 1);
        long before = partition.state.residentBytes();
        partition.state.evict(bytesOf(IDLE, "b"));
        assertThat(partition.state.residentBytes()).isEqualTo(before);
        assertThat(partition.queue(IDLE).window.firstMissing()).isEqualTo(Pid.of("b"));
        assertThat(partition.queue(USED).window.isComplete()).isTrue();
        partition.flush();
        assertThat(there(IDLE)).as("once it is stored").isEqualTo("a");
    }

    @Test
    void whereLeasesFillMostOfAWindowTheyGoFirstFromTheHead() {
        partition.enqueue(USED, "a", "b", "c", "d", "e");
        partition.lease(USED, 3);
        partition.flush();
        partition.state.evict(bytesOf(USED, "a") + 1);
        assertThat(there(USED)).isEqualTo("cde");
        assertThat(partition.queue(USED).window.isComplete()).isTrue();
    }

    @Test
    void whereTheyFillHalfOfItTheTailGoesFirst() {
        partition.enqueue(USED, "a", "b", "c", "d", "e", "f");
        partition.lease(USED, 3);
        partition.flush();
        partition.state.evict(1);
        assertThat(there(USED)).isEqualTo("abcde");
    }

    @Test
    void theDataOfALeasedTaskAreLetGoOfOnceItIsStored() {
        partition.enqueue(USED, LARGE, 0, "a", "b");
        partition.lease(USED, 1);
        long before = partition.state.residentBytes();
        partition.flush();
        assertThat(before - partition.state.residentBytes()).isEqualTo(1_000);
        assertThat(task(USED, "a").data).isNull();
        assertThat(task(USED, "b").data).isNotNull();
    }

    @Test
    void aTaskThatACommandWaitsForStaysUntilItHasBeenDecided() {
        partition.enqueue(USED, "a", "b", "c", "d");
        partition.flush();
        Task last = task(USED, "d");
        partition.state.pin(last);
        partition.state.pin(last);
        partition.state.evict(Long.MAX_VALUE);
        assertThat(there(USED)).isEqualTo("abd");
        partition.state.unpin(last);
        assertThat(there(USED)).isEqualTo("abd");
        partition.state.unpin(last);
        assertThat(there(USED)).isEqualTo("ab");
    }

    @Test
    void whatARefillBringsIsUsedLast() {
        partition.enqueue(IDLE, "a", "b");
        partition.enqueue(USED, "a", "b");
        partition.flush();
        partition.state.evict(Long.MAX_VALUE);
        QueueState queue = partition.queue(IDLE);
        assertThat(there(IDLE)).isEmpty();
        StoredTask row = new StoredTask(
                Pid.of("a"),
                new Enqueued(SmallPartition.DATA, 1_000, 0),
                0,
                null,
                false,
                null,
                CellSet.of(false, CellSet.DATA));
        partition.state.refilled(queue, queue.generation, queue.refillFrom(), List.of(row), Optional.empty(), true, 1);
        partition.state.evict(Long.MAX_VALUE);
        assertThat(there(IDLE)).isEqualTo("a");
        assertThat(there(USED)).isEmpty();
    }

    private Task task(QueueKey queue, String pid) {
        return Objects.requireNonNull(partition.queue(queue).present(Pid.of(pid)));
    }

    private long bytesOf(QueueKey queue, String pid) {
        return task(queue, pid).residentBytes;
    }

    private String there(QueueKey queue) {
        StringBuilder there = new StringBuilder();
        partition.queue(queue).tasks.keySet().forEach(there::append);
        return there.toString();
    }
}
