package io.taskmaster.server.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Payload;
import io.taskmaster.command.FifoPid;
import io.taskmaster.command.Reply;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.command.Enqueued;
import io.taskmaster.server.engine.command.Sizes;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests of evictions: the order in which entries go when memory is short, their number, and the entries that stay. */
final class ResidencyTest {

    private static final QueueKey IDLE = QueueKey.of("z idle");
    private static final QueueKey USED = QueueKey.of("a used");
    private static final Payload LARGE = new Payload(Bytes.wrap(new byte[1_000]), Map.of());

    private final SmallPartition partition = new SmallPartition(new EngineSettings(1, 2, 120_000));

    @Test
    void theQueueIdleLongestGoesFirstFromItsTail() {
        partition.enqueue(USED, "a", "b", "c", "d");
        partition.enqueue(IDLE, "a", "b", "c", "d");
        partition.lease(USED, 1);
        partition.flush();
        partition.state.evict(1);
        assertThat(residentPids(IDLE)).isEqualTo("abc");
        partition.state.evict(2 * bytesOf(IDLE, "a"));
        assertThat(residentPids(IDLE)).isEqualTo("a");
        assertThat(residentPids(USED)).isEqualTo("abcd");
    }

    @Test
    void theHeadOfTheQueueThatWasUsedLastStays() {
        partition.enqueue(USED, "a", "b", "c", "d");
        partition.enqueue(IDLE, "a", "b", "c", "d");
        partition.lease(USED, 1);
        partition.flush();
        partition.state.evict(Long.MAX_VALUE);
        assertThat(residentPids(IDLE)).isEmpty();
        assertThat(residentPids(USED)).as("the leased one, and two to lease").isEqualTo("abc");
        assertThat(partition.state.queue(IDLE)).isNotNull();
    }

    @Test
    void whatIsDirtyStaysAndCountsAsGivenUpAllTheSame() {
        partition.enqueue(IDLE, "a", "b");
        partition.enqueue(USED, "a", "b", "c", "d", "e");
        partition.lease(USED, 1);
        long before = partition.state.residentBytes();
        partition.state.evict(bytesOf(IDLE, "b"));
        assertThat(partition.state.residentBytes()).isEqualTo(before);
        assertThat(partition.queue(IDLE).window.firstMissing()).isEqualTo(Pid.of("b"));
        assertThat(partition.queue(USED).window.isComplete()).isTrue();
        partition.flush();
        assertThat(residentPids(IDLE)).as("once it is stored").isEqualTo("a");
    }

    @Test
    void whereLeasesFillMostOfAWindowTheyGoFirstFromTheHead() {
        partition.enqueue(USED, "a", "b", "c", "d", "e", "f");
        partition.lease(USED, 4);
        partition.flush();
        partition.state.evict(bytesOf(USED, "a"));
        assertThat(residentPids(USED)).isEqualTo("bcdef");
        partition.state.evict(1);
        assertThat(residentPids(USED)).isEqualTo("cdef");
        assertThat(partition.queue(USED).window.isComplete()).isTrue();
    }

    @Test
    void whereTheyFillHalfOfItTheTailGoesFirst() {
        partition.enqueue(USED, "a", "b", "c", "d", "e", "f");
        partition.lease(USED, 3);
        partition.flush();
        partition.state.evict(1);
        assertThat(residentPids(USED)).isEqualTo("abcde");
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
    void whatIsRememberedBesideItIsLetGoOfToo() {
        partition.enqueue(USED, "a");
        partition.lease(USED, 1);
        partition.flush();
        long before = partition.state.residentBytes();
        partition.answer(
                Reply.Updated.class,
                new Command.Update(
                        USED.group(),
                        List.of(new Command.Enqueue(
                                USED.name(), Optional.of(Pid.of("a")), LARGE, Command.IfExists.RERUN, 0)),
                        List.of(),
                        List.of(),
                        List.of()));
        assertThat(partition.state.residentBytes()).isEqualTo(before + 1_000);
        partition.flush();
        assertThat(partition.state.residentBytes()).isEqualTo(before);
        assertThat(task(USED, "a").remembers).isTrue();
    }

    @Test
    void aQueueThatComesBackIsNotTheOneIdleLongest() {
        SmallPartition small = new SmallPartition();
        small.enqueue(IDLE, "b");
        small.flush();
        small.state.evict(Long.MAX_VALUE);
        small.enqueue(USED, "a");
        small.enqueue(IDLE, "a");
        small.flush();
        small.state.evict(1);
        assertThat(small.queue(USED).tasks).isEmpty();
        assertThat(small.queue(IDLE).tasks).hasSize(1);
    }

    @Test
    void whatAReadUnderWayMayShowOtherwiseStaysUntilItHasEnded() {
        partition.enqueue(USED, "a", "b", "c");
        partition.state.reads().changed(5);
        FlushRound round = partition.state.takeRound();
        partition.state.tasksFlushed(round.tasks(), 5);
        partition.state.recordsFlushed(round.records());
        partition.state.roundCompleted();
        partition.state.evict(Long.MAX_VALUE);
        assertThat(residentPids(USED)).isEqualTo("abc");
        partition.state.reads().changed(6);
        assertThat(residentPids(USED)).isEqualTo("ab");
    }

    @Test
    void aRefillOfNothingIsNoHarmWhereNothingIsInMemory() {
        QueueKey empty = QueueKey.of("empty");
        PartitionState fresh = new PartitionState(EngineSettings.DEFAULTS);
        fresh.restorer().restore(empty, new FlushRound.QueueRecord(1, new Sizes(1, 0, 0), FifoPid.NONE, Pid.EMPTY));
        fresh.recovered();
        QueueState queue = Objects.requireNonNull(fresh.queue(empty));
        fresh.reads().windowScanned(queue, 1, queue.refillFrom(), List.of(), Optional.of(Pid.of("m")), true, 1);
        assertThat(queue.window.firstMissing()).isEqualTo(Pid.of("m"));
    }

    @Test
    void aTaskThatACommandWaitsForStaysUntilItHasBeenDecided() {
        partition.enqueue(USED, "a", "b", "c", "d");
        partition.flush();
        Task last = task(USED, "d");
        partition.state.reads().pin(last);
        partition.state.reads().pin(last);
        partition.state.evict(Long.MAX_VALUE);
        assertThat(residentPids(USED)).isEqualTo("abd");
        partition.state.reads().unpin(last);
        assertThat(residentPids(USED)).isEqualTo("abd");
        partition.state.reads().unpin(last);
        assertThat(residentPids(USED)).isEqualTo("ab");
    }

    @Test
    void aQueueThatIsForgottenIsNotTheOneUsedLast() {
        partition.enqueue(USED, "a", "b", "c");
        partition.enqueue(IDLE, "a");
        partition.flush();
        partition.dequeue(IDLE, "a");
        partition.flush();
        assertThat(partition.state.queue(IDLE)).isNull();
        partition.state.evict(Long.MAX_VALUE);
        assertThat(residentPids(USED)).as("two to lease").isEqualTo("ab");
    }

    @Test
    void aQueueOfWhichSomethingIsThereIsUsedLastOnceItIsRefilled() {
        partition.enqueue(IDLE, "a", "b");
        partition.enqueue(USED, "a", "b");
        partition.flush();
        partition.state.evict(1);
        assertThat(residentPids(IDLE)).isEqualTo("a");
        refillWith(IDLE, "b");
        partition.state.evict(1);
        assertThat(residentPids(IDLE)).isEqualTo("ab");
        assertThat(residentPids(USED)).isEqualTo("a");
    }

    @Test
    void whatARefillBringsIsUsedLast() {
        partition.enqueue(IDLE, "a", "b");
        partition.enqueue(USED, "a", "b");
        partition.flush();
        partition.state.evict(Long.MAX_VALUE);
        assertThat(residentPids(IDLE)).isEmpty();
        refillWith(IDLE, "a");
        partition.state.evict(Long.MAX_VALUE);
        assertThat(residentPids(IDLE)).isEqualTo("a");
        assertThat(residentPids(USED)).isEmpty();
    }

    @Test
    void timePassesAnInstantThoughNoTwoOfItsTasksAreInMemoryTogether() {
        SmallPartition small = new SmallPartition();
        small.enqueue(IDLE, "a", "b", "c");
        small.lease(IDLE, 3);
        small.flush();
        List<StoredTask> rows = List.of(leased(small, "a"), leased(small, "b"), leased(small, "c"));
        small.state.evict(Long.MAX_VALUE);
        long expired = small.nowMillis + SmallPartition.LEASE_MILLIS;
        for (StoredTask row : rows) {
            assertThat(small.queue(IDLE).tasks).isEmpty();
            assertThat(small.state.advance(expired)).isFalse();
            TimeHint hint = small.state.hints().due(expired, 1, Long.MAX_VALUE).getFirst();
            small.state.reads().load(small.queue(IDLE), row, 1);
            small.state.hints().settled(hint);
            small.state.advance(expired);
            small.state.evict(Long.MAX_VALUE);
        }
        assertThat(small.state.isOnTime(expired)).isTrue();
        assertThat(small.queue(IDLE).leasable()).isEqualTo(3);
    }

    /** Returns the row of a leased task in memory. */
    private static StoredTask leased(SmallPartition partition, String pid) {
        return new StoredTask(
                Pid.of(pid),
                new Enqueued(SmallPartition.DATA, 1_000, 0),
                1,
                Objects.requireNonNull(partition.queue(IDLE).present(Pid.of(pid))).grant,
                false,
                null,
                CellSet.of(false, CellSet.DATA | CellSet.STATE));
    }

    /** Refills with a scan that reaches the end of the queue. */
    private void refillWith(QueueKey key, String pid) {
        QueueState queue = partition.queue(key);
        StoredTask row = new StoredTask(
                Pid.of(pid),
                new Enqueued(SmallPartition.DATA, 1_000, 0),
                0,
                null,
                false,
                null,
                CellSet.of(false, CellSet.DATA));
        partition
                .state
                .reads()
                .windowScanned(queue, queue.generation, queue.refillFrom(), List.of(row), Optional.empty(), true, 1);
    }

    private Task task(QueueKey queue, String pid) {
        return Objects.requireNonNull(partition.queue(queue).present(Pid.of(pid)));
    }

    private long bytesOf(QueueKey queue, String pid) {
        return task(queue, pid).residentBytes;
    }

    private String residentPids(QueueKey queue) {
        StringBuilder residentPids = new StringBuilder();
        partition.queue(queue).tasks.keySet().forEach(residentPids::append);
        return residentPids.toString();
    }
}
