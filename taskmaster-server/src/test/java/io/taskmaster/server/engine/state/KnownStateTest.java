package io.taskmaster.server.engine.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.taskmaster.command.Command;
import io.taskmaster.command.FifoPid;
import io.taskmaster.command.Reply;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.command.ApplyAtom;
import io.taskmaster.server.engine.command.Enqueued;
import io.taskmaster.server.engine.command.Sizes;
import io.taskmaster.server.engine.flow.Families;
import io.taskmaster.server.engine.state.FlushRound.QueueRecord;
import io.taskmaster.server.engine.state.FlushRound.ReapMark;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests of the views of a partition's memory on which readers, waiting commands and refills rely. */
final class KnownStateTest {

    private static final QueueKey QUEUE = QueueKey.of("q");
    private static final QueueKey OTHER = QueueKey.of("r");
    private static final Pid A = Pid.of("a");
    private static final Pid M = Pid.of("m");
    private static final Pid Z = Pid.of("z");

    private final SmallPartition partition = new SmallPartition();
    private final PartitionState state = partition.state;

    @Test
    void aQueueInWhichLeasesRanOutIsToldOnce() {
        partition.enqueue(QUEUE, "a", "b");
        partition.enqueue(OTHER, "a");
        partition.lease(QUEUE, 2);
        assertThat(state.takeExpiredQueues()).isEmpty();
        state.advance(1_000 + SmallPartition.LEASE_MILLIS);
        assertThat(state.takeExpiredQueues()).containsExactly(partition.queue(QUEUE));
        assertThat(state.takeExpiredQueues()).isEmpty();
    }

    @Test
    void theNextInstantIsThatOfALeaseOrADelay() {
        assertThat(state.nextInstantMillis()).isEqualTo(Long.MAX_VALUE);
        partition.enqueue(QUEUE, "a");
        partition.lease(QUEUE, 1);
        assertThat(state.nextInstantMillis()).isEqualTo(31_000);
        partition.enqueue(QUEUE, SmallPartition.DATA, 5_000, "b", "c");
        assertThat(state.nextInstantMillis()).isEqualTo(5_000);
        assertThat(state.dueCount()).isZero();
        state.advance(5_000);
        assertThat(state.dueCount()).isEqualTo(2);
        assertThat(state.due(1)).hasSize(1);
    }

    @Test
    void whatIsDueOfADeletedGenerationIsForgotten() {
        partition.enqueue(QUEUE, SmallPartition.DATA, 5_000, "a", "b");
        state.advance(5_000);
        partition.answer(Reply.Deleted.class, new Command.Delete(Command.Selector.of(QUEUE)));
        assertThat(state.due(9)).isEmpty();
        assertThat(state.dueCount()).isZero();
    }

    @Test
    void whatIsDueBehindATaskOfAnotherQueueIsPassedOver() {
        QueueKey other = QueueKey.of("other");
        partition.enqueue(other, SmallPartition.DATA, 4_000, "first");
        partition.enqueue(QUEUE, SmallPartition.DATA, 5_000, "a", "b");
        state.advance(5_000);
        partition.answer(Reply.Deleted.class, new Command.Delete(Command.Selector.of(QUEUE)));
        assertThat(state.due(9))
                .singleElement()
                .satisfies(task -> assertThat((Object) task.pid()).hasToString("first"));
        // Asked again, it says the same: a question changes nothing.
        assertThat(state.due(9)).hasSize(1);
    }

    @Test
    void timeHasToBeReadAsFarAsItIsNotKnown() {
        PartitionState unread = new PartitionState(EngineSettings.DEFAULTS);
        unread.recovered();
        assertThat(unread.hints().needsMore(1_000)).isTrue();
        unread.hints().loaded(TimeHint.FIRST, List.of(), new TimeHint(2_000, QUEUE, 1, A, 0));
        assertThat(unread.hints().needsMore(1_999)).isFalse();
        assertThat(unread.hints().needsMore(2_000)).isTrue();
    }

    @Test
    void aHintIsInMemoryIfItsTaskOfItsGenerationIs() {
        partition.enqueue(QUEUE, "a");
        long generation = partition.queue(QUEUE).generation;
        assertThat(state.hints().isInMemory(new TimeHint(9, QUEUE, generation, A, 0)))
                .isTrue();
        assertThat(state.hints().isInMemory(new TimeHint(9, QUEUE, generation, M, 0)))
                .isFalse();
        assertThat(state.hints().isInMemory(new TimeHint(9, QUEUE, generation + 1, A, 0)))
                .isFalse();
        assertThat(state.hints().isInMemory(new TimeHint(9, OTHER, generation, A, 0)))
                .isFalse();
    }

    @Test
    void whereARowMayBeIsSaidOfWhatIsNotInMemory() {
        partition.enqueue(QUEUE, "a", "m");
        partition.enqueue(QUEUE, SmallPartition.DATA, 9_000, "z");
        QueueState queue = partition.queue(QUEUE);
        assertThat(queue.mayBeInPlace(A)).isTrue();
        assertThat(queue.mayBeDelayed(A)).isFalse();
        assertThat(queue.mayBeInPlace(Z)).isFalse();
        assertThat(queue.mayBeDelayed(Z)).isTrue();
        assertThat(queue.mayBeInPlace(Pid.of("b"))).as("all is known").isFalse();
        assertThat(queue.mayBeDelayed(Pid.of("b"))).isFalse();
        partition.flush();
        state.evict(Long.MAX_VALUE);
        assertThat(queue.mayBeInPlace(Pid.of("b"))).isTrue();
        assertThat(queue.mayBeDelayed(Pid.of("b"))).isTrue();
        assertThat(queue.firstStored(Pid.EMPTY)).as("nothing is stored below").isEqualTo(A);
        assertThat(queue.firstStored(M)).isEqualTo(M);
    }

    @Test
    void aRefillIsWelcomeWhereThereIsMoreAndLittleIsAtHand() {
        partition.enqueue(QUEUE, "a", "m", "z");
        QueueState queue = partition.queue(QUEUE);
        assertThat(state.needsRefill(queue)).as("all is known").isFalse();
        partition.flush();
        state.evict(1);
        assertThat(state.needsRefill(queue)).as("two are at hand").isFalse();
        state.evict(1);
        assertThat(state.needsRefill(queue)).as("one is, and one is enough").isFalse();
        state.evict(Long.MAX_VALUE);
        assertThat(state.needsRefill(queue)).isTrue();
        queue.refilling(true);
        assertThat(queue.isRefilling()).isTrue();
        assertThat(state.needsRefill(queue)).as("one is under way").isFalse();
        queue.refilling(false);
        assertThat(queue.isRefilling()).isFalse();
    }

    @Test
    void whoKnowsAllTasksKnowsThatThereAreNoOthers() {
        partition.enqueue(QUEUE, "a", "m");
        partition.flush();
        state.evict(Long.MAX_VALUE);
        QueueState queue = partition.queue(QUEUE);
        state.reads().load(queue, row(A), 1);
        assertThat(queue.window.isComplete()).isFalse();
        state.reads().load(queue, row(M), 1);
        assertThat(queue.window.isComplete()).isTrue();
    }

    @Test
    void aQueueOfWhichTheLogToldEverythingIsKnownAfterTheReplay() {
        PartitionState replayed = new PartitionState(EngineSettings.DEFAULTS);
        ApplyAtom.Put put = new ApplyAtom.Put(M, new Enqueued(SmallPartition.DATA, 0, 0));
        replayed.apply(
                new ApplyAtom(
                        7,
                        List.of(new ApplyAtom.QueueChange(
                                QUEUE, 5, false, new Sizes(1, 0, 0), FifoPid.NONE, List.of(put)))),
                0);
        assertThat(queue(replayed, QUEUE).window.isComplete()).isFalse();
        replayed.recovered();
        assertThat(queue(replayed, QUEUE).window.isComplete()).isTrue();
    }

    @Test
    void aQueueWhoseLastTaskIsDequeuedIsKnownToItsEnd() {
        partition.enqueue(QUEUE, "a");
        state.evict(1);
        QueueState queue = partition.queue(QUEUE);
        assertThat(queue.window.isComplete())
                .as("to be given up once it is stored")
                .isFalse();
        partition.dequeue(QUEUE, "a");
        assertThat(queue.window.isComplete()).isTrue();
    }

    @Test
    void aNewGenerationIsKnownBeforeAnythingIsSaidOfIt() {
        QueueState queue = new QueueState(
                QUEUE, new Families(Optional.empty()).join(QUEUE), new Rates(), new QueueObserver() {}, 1, 0);
        queue.window.unknownFrom(M);
        queue.restart(2);
        assertThat(queue.window.isComplete()).isTrue();
    }

    @Test
    void anOlderTaskThatComesBackIsTheOldestAgain() {
        partition.enqueue(QUEUE, "a");
        partition.lease(QUEUE, 1);
        partition.nowMillis += 500;
        partition.enqueue(QUEUE, "m");
        QueueState queue = partition.queue(QUEUE);
        assertThat(queue.oldestReadyMillis()).isEqualTo(1_500);
        state.advance(1_000 + SmallPartition.LEASE_MILLIS);
        assertThat(queue.oldestReadyMillis()).isEqualTo(1_000);
        partition.answer(Reply.Deleted.class, new Command.Delete(Command.Selector.of(QUEUE)));
        assertThat(queue.oldestReadyMillis()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void ofADeletedQueueEverythingIsKnown() {
        partition.enqueue(QUEUE, "a");
        partition.flush();
        state.evict(Long.MAX_VALUE);
        partition.answer(Reply.Deleted.class, new Command.Delete(Command.Selector.of(QUEUE)));
        QueueState queue = partition.queue(QUEUE);
        assertThat(queue.window.isComplete()).isTrue();
        assertThat(queue.window.lowWater()).isEqualTo(Pid.EMPTY);
        assertThat(queue.knows(M)).isTrue();
    }

    @Test
    void delaysThatAreOverAreSummedUpAsAvailable() {
        partition.enqueue(QUEUE, SmallPartition.DATA, 5_000, "a", "m");
        partition.enqueue(QUEUE, SmallPartition.DATA, 9_000, "z");
        state.advance(5_000);
        assertThat(partition.queue(QUEUE).summary()).isEqualTo(new Reply.Summary(QUEUE, 2, 0, 1));
        assertThat(partition.queue(QUEUE).leasesPerSecond(5_000)).isZero();
        partition.enqueue(OTHER, "a");
        partition.lease(OTHER, 1);
        assertThat(partition.queue(OTHER).leasesPerSecond(1_000)).isCloseTo(1 / 60.0, within(1e-9));
    }

    @Test
    void aStoredRecordCountsAsFarAsTheLogSaysNothingElse() {
        PartitionState replayed = new PartitionState(EngineSettings.DEFAULTS);
        Sizes one = new Sizes(1, 0, 0);
        Enqueued data = new Enqueued(SmallPartition.DATA, 0, 0);
        ApplyAtom.Put put = new ApplyAtom.Put(M, data);
        List<ApplyAtom.QueueChange> changes = Stream.of(QUEUE, OTHER)
                .map(key -> new ApplyAtom.QueueChange(
                        key, 5, false, new Sizes(2, 0, 0), FifoPid.NONE, List.<ApplyAtom.TaskChange>of(put)))
                .toList();
        replayed.apply(new ApplyAtom(7, changes), 0);
        replayed.restorer().restore(QUEUE, new QueueRecord(5, one, FifoPid.NONE, A));
        replayed.restorer().restore(OTHER, new QueueRecord(4, one, FifoPid.NONE, A));
        QueueKey stored = QueueKey.of("s");
        replayed.restorer().restore(stored, new QueueRecord(3, one, FifoPid.NONE, Z));
        replayed.recovered();
        assertThat(lowWater(replayed, QUEUE)).as("of its generation").isEqualTo(A);
        assertThat(lowWater(replayed, OTHER)).as("of another one").isEqualTo(Pid.EMPTY);
        assertThat(lowWater(replayed, stored)).isEqualTo(Z);
        assertThat(queue(replayed, QUEUE).sizes()).isEqualTo(new Sizes(2, 0, 0));
        assertThat(queue(replayed, stored).sizes()).isEqualTo(one);
    }

    @Test
    void aQueueWithGarbageThatIsNotReapedIsKeptThroughARecovery() {
        PartitionState recovered = new PartitionState(EngineSettings.DEFAULTS);
        recovered.restorer().restore(QUEUE, new QueueRecord(5, Sizes.NONE, FifoPid.NONE, Pid.EMPTY));
        ReapMark mark = new ReapMark(QUEUE, 5);
        recovered.restorer().restore(mark);
        recovered.recovered();
        recovered.dirty.record(queue(recovered, QUEUE));
        assertThat(recovered.takeRound().records())
                .extracting(FlushRound.RecordWrite::forget)
                .containsExactly(false);
        assertThat(recovered.unreaped(List.of(QUEUE, OTHER))).isEqualTo(1);
        recovered.reaped(new ReapMark(QUEUE, 4));
        assertThat(recovered.unreaped(List.of(QUEUE)))
                .as("deleted again meanwhile")
                .isEqualTo(1);
        recovered.reaped(mark);
        assertThat(recovered.unreaped(List.of(QUEUE))).isZero();
        assertThat(recovered.takeRound().reaped()).containsExactly(mark);
    }

    @Test
    void messagesSayHowATaskAndItsQueueAre() {
        partition.enqueue(QUEUE, "a", "m");
        partition.enqueue(QUEUE, SmallPartition.DATA, 5_000, "z");
        long leaseId = partition.lease(QUEUE, 1).getFirst().leaseId();
        QueueState queue = partition.queue(QUEUE);
        assertThat(queue.present(A)).hasToString(A + " leased " + leaseId);
        assertThat(queue.present(M)).hasToString(M + " available");
        assertThat(queue.present(Z)).hasToString(Z + " delayed");
        assertThat(state.reads().loadAbsent(queue, Pid.of("b"))).hasToString(Pid.of("b") + " gone");
        assertThat(queue).hasToString(QUEUE + " generation " + queue.generation() + ", " + new Sizes(1, 1, 1));
        assertThat(state.queues()).hasToString("[" + queue + "]");
    }

    private static Pid lowWater(PartitionState state, QueueKey key) {
        return queue(state, key).window.lowWater();
    }

    private static QueueState queue(PartitionState state, QueueKey key) {
        return Objects.requireNonNull(state.queue(key));
    }

    private static StoredTask row(Pid pid) {
        return new StoredTask(
                pid,
                new Enqueued(SmallPartition.DATA, 1_000, 0),
                0,
                null,
                false,
                null,
                CellSet.of(false, CellSet.DATA));
    }
}
