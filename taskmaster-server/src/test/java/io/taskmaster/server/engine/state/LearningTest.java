package io.taskmaster.server.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.command.FifoPid;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.command.ApplyAtom;
import io.taskmaster.server.engine.command.Enqueued;
import io.taskmaster.server.engine.command.Grant;
import io.taskmaster.server.engine.command.Sizes;
import io.taskmaster.server.engine.state.FlushRound.QueueRecord;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Tests of what reads bring into memory, and what they must not. The queue is one that was recovered: only its record
 * is known.
 */
final class LearningTest {

    private static final QueueKey QUEUE = QueueKey.of("q");
    private static final Pid A = Pid.of("a");
    private static final Pid M = Pid.of("m");
    private static final Enqueued DATA = new Enqueued(SmallPartition.DATA, 1_000, 0);
    private static final Enqueued RERUN = new Enqueued(SmallPartition.DATA, 2_000, 0);

    private final PartitionState state = new PartitionState(new EngineSettings(1, 0, 120_000));

    @Test
    void aTaskIsLearnedAsItsRowHasIt() {
        QueueState queue = recovered(new Sizes(1, 2, 0));
        Task task = state.reads().load(queue, leased(A, 100, false, null), 1);
        assertThat(task.isPresent()).isTrue();
        assertThat(task.pid()).isEqualTo(A);
        assertThat(task.queue()).isSameAs(queue);
        assertThat(task.data).isEqualTo(DATA);
        assertThat(queue.hasMoreStored()).as("one to lease is not there").isTrue();
        assertThat(state.reads().load(queue, available(M), 1).isReady()).isTrue();
        assertThat(queue.window.isComplete()).isFalse();
        assertThat(queue.hasMoreStored()).as("nothing more to lease").isFalse();
        Task absent = state.reads().loadAbsent(queue, Pid.of("z"));
        assertThat(absent.isPresent()).isFalse();
    }

    @Test
    void whatIsRememberedIsLearnedIfTheStateSaysSo() {
        QueueState queue = recovered(new Sizes(0, 9, 0));
        Task remembering = state.reads().load(queue, leased(A, 100, true, RERUN), 1);
        assertThat(remembering.remembers).isTrue();
        assertThat(remembering.rerun).isEqualTo(RERUN);
        Task other = state.reads().load(queue, leased(M, 100, false, RERUN), 1);
        assertThat(other.remembers).isFalse();
        assertThat(other.rerun).as("what is left of an earlier one").isNull();
    }

    @Test
    void onlyAReadThatBeganLaterBringsBackWhatWasLetGoOf() {
        SmallPartition partition = new SmallPartition();
        partition.enqueue(QUEUE, "a");
        partition.lease(QUEUE, 1);
        FlushRound round = partition.state.takeRound();
        partition.state.tasksFlushed(round.tasks(), 5);
        QueueState queue = partition.queue(QUEUE);
        Task task = Objects.requireNonNull(queue.present(A));
        assertThat(task.data).isNull();
        partition.state.reads().load(queue, available(A), 5);
        assertThat(task.data).as("its row may have been an older one").isNull();
        partition.state.reads().load(queue, available(A), 6);
        assertThat(task.data).isEqualTo(DATA);
    }

    @Test
    void whatIsRememberedIsLearnedBesideATaskThatIsThere() {
        QueueState queue = recovered(new Sizes(0, 9, 0));
        Task task = state.reads().load(queue, leased(A, 100, true, null), 1);
        long before = state.residentBytes();
        state.reads().load(queue, leased(A, 100, false, RERUN), 2);
        assertThat(task.rerun).as("memory knows that it remembers").isEqualTo(RERUN);
        assertThat(state.residentBytes() - before).isEqualTo(SmallPartition.DATA.bytes());
        Task other = state.reads().load(queue, leased(M, 100, false, null), 1);
        state.reads().load(queue, leased(M, 100, false, RERUN), 2);
        assertThat(other.rerun).as("memory knows that it does not").isNull();
    }

    @Test
    void aTaskWhoseDataWereLetGoOfMayBeTheOldest() {
        SmallPartition partition = new SmallPartition();
        partition.enqueue(QUEUE, "a");
        partition.lease(QUEUE, 1);
        partition.flush();
        partition.nowMillis += 500;
        partition.enqueue(QUEUE, "m");
        partition.state.advance(1_000 + SmallPartition.LEASE_MILLIS);
        QueueState queue = partition.queue(QUEUE);
        assertThat(queue.tasks.get(A)).isNotNull().matches(task -> task.data == null);
        assertThat(queue.oldestReadyMillis()).isEqualTo(1_000);
    }

    @Test
    void howOldATaskIsWhoseEnqueueIsNotInTheLogIsKnownWhenItsRowIsRead() {
        var released = new ApplyAtom.Free(A, 1, false);
        state.apply(
                new ApplyAtom(
                        1,
                        List.of(new ApplyAtom.QueueChange(
                                QUEUE, 1, false, new Sizes(1, 0, 0), FifoPid.NONE, List.of(released)))),
                5_000);
        state.recovered();
        QueueState queue = Objects.requireNonNull(state.queue(QUEUE));
        assertThat(queue.leasable()).isEqualTo(1);
        assertThat(queue.oldestReadyMillis()).isEqualTo(Long.MAX_VALUE);
        state.reads().load(queue, available(A), 1);
        assertThat(queue.oldestReadyMillis()).isEqualTo(1_000);
    }

    @Test
    void aLeaseThatEndedAtThisVeryInstantIsLearnedAsOneThatRanOut() {
        QueueState queue = withLeaseThatRanOutAndWasGivenUp();
        long end = state.firedUntil();
        Task task = state.reads().load(queue, leased(A, end, false, null), 1);
        assertThat(queue.ready).containsOnlyKeys(A);
        assertThat(task.counted).isTrue();
        state.advance(end + 1);
        assertThat(queue.leasable()).as("counted once").isEqualTo(1);
    }

    @Test
    void aLeaseThatEndedAtThisVeryInstantIsNotPassedOverByARefill() {
        QueueState queue = withLeaseThatRanOutAndWasGivenUp();
        refill(queue, false, leased(A, state.firedUntil(), false, null));
        assertThat(queue.ready).containsOnlyKeys(A);
    }

    @Test
    void aRefillLeavesLeasedTasksInTheirRowsWhereMemoryIsShort() {
        QueueState queue = recovered(new Sizes(1, 9, 0));
        refill(queue, false, leased(A, 100, false, null), available(M));
        assertThat(queue.tasks).containsOnlyKeys(M);
        assertThat(queue.window.knows(A)).isFalse();
        assertThat(queue.window.knows(M)).isTrue();
    }

    @Test
    void aRefillKeepsThemWithoutTheirDataWhereItIsNot() {
        QueueState queue = recovered(new Sizes(1, 9, 0));
        refill(queue, true, leased(A, 100, false, null), available(M));
        assertThat(queue.tasks).containsOnlyKeys(A, M);
        assertThat(queue.window.knows(A)).isTrue();
        assertThat(Objects.requireNonNull(queue.present(A)).data).isNull();
        assertThat(Objects.requireNonNull(queue.present(M)).data).isEqualTo(DATA);
    }

    @Test
    void aRefillForgetsNoLeasedTaskThatIsThere() {
        QueueState queue = recovered(new Sizes(1, 9, 0));
        state.reads().load(queue, leased(A, 100, false, null), 1);
        refill(queue, false, leased(A, 100, false, null), available(M));
        assertThat(queue.tasks).containsOnlyKeys(A, M);
        assertThat(queue.window.knows(A)).isTrue();
    }

    @Test
    void aLeaseThatRunsOutBeyondTheWindowIsCountedAndGivenUp() {
        QueueState queue = recovered(new Sizes(1, 1, 0));
        TimeHint hint = new TimeHint(100, QUEUE, 1, M, 0);
        state.hints().loaded(TimeHint.FIRST, List.of(hint), null);
        assertThat(state.advance(100)).isFalse();
        state.reads().load(queue, leased(M, 100, false, null), 1);
        state.hints().settled(hint);
        assertThat(state.advance(100)).isTrue();
        assertThat(queue.leasable()).isEqualTo(2);
        assertThat(queue.tasks).isEmpty();
        assertThat(state.residentBytes()).isZero();
    }

    @Test
    void aTaskThatAStaleHintBroughtIsGivenUpAgain() {
        QueueState queue = recovered(new Sizes(1, 1, 0));
        TimeHint stale = new TimeHint(100, QUEUE, 1, M, 0);
        state.hints().loaded(TimeHint.FIRST, List.of(stale), null);
        state.reads().load(queue, leased(M, 200, false, null), 1);
        state.hints().settled(stale);
        assertThat(state.takeRound().staleHints()).containsExactly(stale);
        assertThat(queue.tasks).isEmpty();
        assertThat(state.nextInstantMillis()).isEqualTo(200);
    }

    private QueueState recovered(Sizes sizes) {
        state.restorer().restore(QUEUE, new QueueRecord(1, sizes, FifoPid.NONE, Pid.EMPTY));
        state.recovered();
        return Objects.requireNonNull(state.queue(QUEUE));
    }

    /** Makes a queue of two tasks; the lease of {@link #A} is counted as expired, and neither is in memory. */
    private QueueState withLeaseThatRanOutAndWasGivenUp() {
        QueueState queue = recovered(new Sizes(0, 2, 0));
        TimeHint hint = new TimeHint(100, QUEUE, 1, A, 0);
        state.hints().loaded(TimeHint.FIRST, List.of(hint), null);
        state.reads().load(queue, leased(A, 100, false, null), 1);
        state.hints().settled(hint);
        state.advance(100);
        assertThat(queue.tasks).isEmpty();
        assertThat(queue.leasable()).isEqualTo(1);
        return queue;
    }

    /** Refills with a scan that reaches the end of the queue. */
    private void refill(QueueState queue, boolean keepLeased, StoredTask... rows) {
        state.reads()
                .windowScanned(
                        queue, queue.generation, queue.refillFrom(), List.of(rows), Optional.empty(), keepLeased, 1);
    }

    private static StoredTask available(Pid pid) {
        return new StoredTask(pid, DATA, 0, null, false, null, CellSet.of(false, CellSet.DATA));
    }

    private static StoredTask leased(Pid pid, long expiresMillis, boolean remembers, @Nullable Enqueued rerun) {
        Grant grant = new Grant(7, 0, expiresMillis, "w", "here");
        return new StoredTask(
                pid, DATA, 1, grant, remembers, rerun, CellSet.of(false, CellSet.DATA + CellSet.STATE + CellSet.RERUN));
    }
}
