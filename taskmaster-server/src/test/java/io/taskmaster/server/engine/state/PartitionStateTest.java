package io.taskmaster.server.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.command.Command.Payload;
import io.taskmaster.command.FifoPid;
import io.taskmaster.command.QueueOptions;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.command.ApplyAtom;
import io.taskmaster.server.engine.command.ApplyAtom.QueueChange;
import io.taskmaster.server.engine.command.ApplyAtom.TaskChange;
import io.taskmaster.server.engine.command.Enqueued;
import io.taskmaster.server.engine.command.Grant;
import io.taskmaster.server.engine.command.Sizes;
import io.taskmaster.server.engine.state.FlushRound.ReapMark;
import io.taskmaster.server.engine.state.FlushRound.RecordWrite;
import io.taskmaster.server.engine.state.FlushRound.TaskWrite;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of what memory may forget, and what rounds may write: the cases that random runs meet too seldom. */
final class PartitionStateTest {

    private static final QueueKey QUEUE = QueueKey.of("g", "q");
    private static final Pid A = Pid.of("a");
    private static final Pid B = Pid.of("b");
    private static final Payload OLD = new Payload(Bytes.of("old"), Map.of());
    private static final Payload NEW = new Payload(Bytes.of("new"), Map.of());

    private final PartitionState state = new PartitionState(new EngineSettings(1, 0, 120_000));
    private long generation = 1;

    PartitionStateTest() {
        state.recovered();
        state.hints().loaded(TimeHint.FIRST, List.of(), null);
    }

    @Test
    void aReadBegunBeforeATaskWasDequeuedDoesNotBringItBack() {
        apply(1, 0, put(A, OLD));
        flush(0);
        long read = 5;
        state.reads().changed(read);
        apply(0, 0, new ApplyAtom.Remove(A));
        flush(read);
        apply(1, 0, put(A, NEW));
        apply(0, 0, new ApplyAtom.Remove(A));

        state.reads().load(queue(), stored(OLD, 0, null), read);
        assertThat(queue().present(A)).isNull();

        state.reads().changed(Long.MAX_VALUE);
        flush(read);
        assertThat(state.residentBytes()).isZero();
    }

    @Test
    void aReadOfARowThatIsBeingReplacedDoesNotBringTheOldData() {
        apply(1, 0, put(A, OLD));
        flush(0);
        apply(1, 0, put(A, NEW));
        FlushRound round = state.takeRound();
        apply(0, 1, lease(A, 3, 100));

        state.reads().changed(5);
        Task task = state.reads().load(queue(), stored(OLD, 0, null), 5);
        assertThat(task.data).isEqualTo(new Enqueued(NEW, 0, 0));

        assertThat(round.tasks()).extracting(TaskWrite::data).containsExactly(new Enqueued(NEW, 0, 0));
    }

    @Test
    void twoLeasesThatEndAtOneInstantShareARowWhichIsNotStale() {
        apply(2, 0, put(A, OLD), put(B, OLD));
        apply(1, 1, lease(A, 2, 100));
        flush(0);
        state.evict(Long.MAX_VALUE);
        assertThat(queue().present(A)).as("given up").isNull();
        Grant first = new Grant(2, 0, 100, "w", "here");
        state.reads().load(queue(), stored(OLD, 1, first), 1);
        apply(2, 0, new ApplyAtom.Free(A, 1, false));
        apply(1, 1, lease(A, 4, 100));
        flush(1);

        assertThat(state.advance(100)).isFalse();
        TimeHint hint = state.hints().due(100, 10, 100).getFirst();
        state.hints().settled(hint);

        assertThat(state.advance(100)).isTrue();
        assertThat(queue().availableNow()).isEqualTo(2);
        assertThat(state.takeRound().staleHints()).isEmpty();
    }

    @Test
    void reapingRewritesNoRecordOfAQueueThatHoldsTasks() {
        apply(1, 0, put(A, OLD));
        flush(0);
        ReapMark mark = delete();
        apply(1, 0, put(A, NEW));
        flush(0);

        state.reaped(mark);
        FlushRound round = state.takeRound();
        assertThat(round.reaped()).containsExactly(mark);
        assertThat(round.records()).isEmpty();
    }

    @Test
    void reapingForgetsAQueueThatIsEmpty() {
        apply(1, 0, put(A, OLD));
        flush(0);
        ReapMark mark = delete();
        flush(0);
        assertThat(state.queues().named()).as("its mark keeps it").isEqualTo(1);

        state.reaped(mark);
        FlushRound round = flush(0);
        assertThat(round.records()).extracting(RecordWrite::forget).containsExactly(true);
        assertThat(state.queues().named()).isZero();
    }

    @Test
    void aRoundSaysOneThingOfAQueuesMark() {
        apply(1, 0, put(A, OLD));
        flush(0);
        ReapMark first = delete();
        flush(0);
        apply(1, 0, put(A, OLD));
        state.reaped(first);
        ReapMark second = delete();

        FlushRound round = state.takeRound();
        assertThat(round.marks()).containsExactly(second);
        assertThat(round.reaped()).isEmpty();
    }

    @Test
    void whatDeletedTasksLeftInTheTimeIndexIsFoundThereAgain() {
        apply(0, 1, lease(A, 1, 100));
        flush(0);
        ReapMark mark = delete();
        flush(0);
        assertThat(state.hints().loadFrom()).isNull();

        state.reaped(mark);
        TimeHint from = Objects.requireNonNull(state.hints().loadFrom());
        TimeHint hint = new TimeHint(100, QUEUE, 1, A, 1);
        state.hints().loaded(from, List.of(hint), null);
        state.hints().settled(hint);
        assertThat(state.takeRound().staleHints()).containsExactly(hint);
    }

    @Test
    void whatComesAndGoesWhileARoundIsSlowLeavesNothingBehind() {
        apply(1, 0, put(B, OLD));
        for (int i = 0; i < 100_000; i++) {
            apply(2, 0, put(A, NEW));
            apply(1, 0, new ApplyAtom.Remove(A));
        }
        assertThat(state.dirty.listed()).isBetween(1, 3_000);
        assertThat(state.takeRound().tasks()).extracting(TaskWrite::pid).containsExactly(B);
    }

    @Test
    void anEntryThatACommandWaitsForIsNotForgottenWithItsTask() {
        apply(1, 0, put(A, OLD));
        Task waitedFor = Objects.requireNonNull(queue().present(A));
        state.reads().pin(waitedFor);
        apply(0, 0, new ApplyAtom.Remove(A));
        assertThat(queue().tasks).containsValue(waitedFor);
        flush(0);
        assertThat(queue().tasks).containsValue(waitedFor);

        state.reads().unpin(waitedFor);
        assertThat(queue().tasks).isEmpty();
        assertThat(flush(0).records()).as("once more").hasSize(1);
        assertThat(state.queues().named()).isZero();
    }

    @Test
    void whatIsRememberedBesideATaskGoesWithIt() {
        apply(1, 0, put(A, OLD));
        flush(0);
        Grant grant = new Grant(1, 0, 100, "w", "here");
        apply(0, 1, new ApplyAtom.Remember(A, grant, 1, new Enqueued(NEW, 0, 0)));
        apply(0, 0, new ApplyAtom.Remove(A));
        Task removed = Objects.requireNonNull(queue().tasks.get(A));
        assertThat(removed.costBytes()).isEqualTo(Task.OVERHEAD_BYTES + A.size());
        TaskWrite write = state.takeRound().tasks().getFirst();
        assertThat(write.present()).isFalse();
        assertThat(write.remembers()).isFalse();
        assertThat(write.rerun()).isNull();
    }

    @Test
    void whatTheLogSaysOfOptionsCountsMoreThanWhatIsStored() {
        PartitionState replayed = new PartitionState(EngineSettings.DEFAULTS);
        QueueOptions newOptions = new QueueOptions(true, 3, 1);
        QueueKey other = QueueKey.of("g", "r");
        replayed.apply(new ApplyAtom(1, List.of(), List.of(new ApplyAtom.OptionsChange(QUEUE, newOptions)), null), 0);
        replayed.restorer().restore(QUEUE, new QueueOptions(false, 9, 1));
        replayed.restorer().restore(other, new QueueOptions(false, 9, 1));
        replayed.recovered();
        assertThat(replayed.queues().options(QUEUE)).isEqualTo(newOptions);
        assertThat(replayed.queues().options(other)).isEqualTo(new QueueOptions(false, 9, 1));
        assertThat(replayed.queues().all()).extracting(queue -> queue.key).containsExactly(QUEUE, other);
        assertThat(replayed.queues().all())
                .extracting(queue -> queue.options.maxLeased())
                .containsExactly(3L, 9L);
    }

    @Test
    void aQueueThatWasToldSomethingIsForgottenWhenThatIsTakenBack() {
        tell(new QueueOptions(true, 0, 1));
        flush(0);
        long born = queue().generation;
        generation = born;
        apply(1, 0, put(A, OLD));
        flush(0);
        apply(0, 0, new ApplyAtom.Remove(A));
        FlushRound round = flush(0);
        assertThat(round.records()).extracting(RecordWrite::forget).containsExactly(true);
        assertThat(queue().generation).isEqualTo(born);

        tell(QueueOptions.NONE);
        flush(0);
        assertThat(state.queue(QUEUE)).isNull();
        assertThat(state.isDirty()).isFalse();
    }

    private void tell(QueueOptions options) {
        long ticket = state.lastTicket() + 1;
        state.apply(new ApplyAtom(ticket, List.of(), List.of(new ApplyAtom.OptionsChange(QUEUE, options)), null), 0);
    }

    private void apply(long available, long leased, TaskChange... tasks) {
        apply(new QueueChange(QUEUE, generation, false, new Sizes(available, leased, 0), FifoPid.NONE, List.of(tasks)));
    }

    private ReapMark delete() {
        generation = state.lastTicket() + 1;
        apply(new QueueChange(QUEUE, generation, true, Sizes.NONE, FifoPid.NONE, List.of()));
        return new ReapMark(QUEUE, generation);
    }

    private void apply(QueueChange change) {
        state.apply(new ApplyAtom(state.lastTicket() + 1, List.of(change)), 0);
    }

    private static StoredTask stored(Payload payload, int attempt, @Nullable Grant grant) {
        int columns = CellSet.DATA + (attempt > 0 ? CellSet.STATE : 0);
        return new StoredTask(A, new Enqueued(payload, 0, 0), attempt, grant, false, null, CellSet.of(false, columns));
    }

    private FlushRound flush(long newestRead) {
        FlushRound round = state.takeRound();
        state.tasksFlushed(round.tasks(), newestRead);
        state.recordsFlushed(round.records());
        state.roundCompleted();
        return round;
    }

    private QueueState queue() {
        return Objects.requireNonNull(state.queue(QUEUE));
    }

    private static TaskChange put(Pid pid, Payload payload) {
        return new ApplyAtom.Put(pid, new Enqueued(payload, 0, 0));
    }

    private static TaskChange lease(Pid pid, long leaseId, long expiresMillis) {
        return new ApplyAtom.Lease(pid, new Grant(leaseId, 0, expiresMillis, "w", "here"), 1, false);
    }
}
