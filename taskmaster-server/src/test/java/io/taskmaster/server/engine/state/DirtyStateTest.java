package io.taskmaster.server.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.command.Command;
import io.taskmaster.command.QueueOptions;
import io.taskmaster.command.Reply;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.command.ApplyAtom;
import io.taskmaster.server.engine.command.Enqueued;
import io.taskmaster.server.engine.command.Sizes;
import io.taskmaster.server.engine.dedup.DedupEntry;
import io.taskmaster.server.engine.state.FlushRound.ReapMark;
import io.taskmaster.server.engine.state.FlushRound.TaskWrite;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests of the dirty state: the writes of rounds, and the memory that is bound until they are complete. */
final class DirtyStateTest {

    private static final QueueKey QUEUE = QueueKey.of("q");
    private static final QueueOptions PAUSED = new QueueOptions(true, 0, 1);

    private final SmallPartition partition = new SmallPartition();
    private final PartitionState state = partition.state;

    @Test
    void everythingThatIsToBeStoredMakesARoundWorthwhile() {
        assertThat(state.isDirty()).isFalse();
        partition.enqueue(QUEUE, "a");
        assertIsDirtyUntilARound(2);
        state.apply(new ApplyAtom(9, List.of(), List.of(new ApplyAtom.OptionsChange(QUEUE, PAUSED)), null), 0);
        assertIsDirtyUntilARound(0);
        DedupEntry dedupEntry = new DedupEntry(GroupName.of("g"), Bytes.of("id"), 1_000, Bytes.of("reply"));
        state.apply(new ApplyAtom(10, List.of(), List.of(), dedupEntry), 0);
        assertIsDirtyUntilARound(0);
        state.hints().settled(new TimeHint(5, QUEUE, 77, Pid.of("gone"), 0));
        assertIsDirtyUntilARound(0);
        state.dirty.mark(new ReapMark(QUEUE, 5));
        assertIsDirtyUntilARound(0);
        state.dirty.reaped(new ReapMark(QUEUE, 5));
        assertIsDirtyUntilARound(0);
    }

    private void assertIsDirtyUntilARound(int entries) {
        assertThat(state.isDirty()).isTrue();
        assertThat(state.dirtyEntries()).isEqualTo(entries);
        partition.flush();
        assertThat(state.isDirty()).isFalse();
        assertThat(state.dirtyEntries()).isZero();
    }

    @Test
    void whatIsDirtyBindsMemoryUntilItsRoundIsCompleted() {
        partition.enqueue(QUEUE, "a", "b");
        long tasks = 2 * task("a").costBytes();
        assertThat(state.dirtyBytes()).isEqualTo(tasks);
        state.hints().settled(new TimeHint(5, QUEUE, 77, Pid.of("gone"), 0));
        assertThat(state.dirtyBytes()).isEqualTo(tasks + 120 + 4);
        FlushRound round = state.takeRound();
        assertThat(state.dirtyBytes()).as("taken, not stored").isEqualTo(tasks + 124);
        partition.enqueue(QUEUE, "c");
        assertThat(state.dirtyBytes()).isEqualTo(tasks + 124 + task("c").costBytes());
        state.tasksFlushed(round.tasks(), 0);
        state.recordsFlushed(round.records());
        assertThat(state.dirtyBytes()).isEqualTo(tasks + 124 + task("c").costBytes());
        state.roundCompleted();
        assertThat(state.dirtyBytes()).isEqualTo(task("c").costBytes());
    }

    @Test
    void aTaskIsAsLargeAsAllThatIsKnownOfIt() {
        partition.enqueue(QUEUE, "a");
        Task task = task("a");
        assertThat(task.costBytes()).isEqualTo(Task.OVERHEAD_BYTES + 1 + 4);
        partition.lease(QUEUE, 1);
        assertThat(task.costBytes()).as("worker and address").isEqualTo(Task.OVERHEAD_BYTES + 1 + 4 + 1 + 4);
        task.rerun = new Enqueued(SmallPartition.DATA, 0, 0);
        assertThat(task.costBytes()).isEqualTo(Task.OVERHEAD_BYTES + 1 + 4 + 1 + 4 + 4);
        task.data = null;
        assertThat(task.costBytes()).isEqualTo(Task.OVERHEAD_BYTES + 1 + 1 + 4 + 4);
    }

    /** A task that was released as untried has no attempt and no lease, and yet a rerun. */
    @Test
    void whatATaskRemembersIsStoredAlsoWithoutAnAttempt() {
        partition.enqueue(QUEUE, "a");
        long lease = partition.lease(QUEUE, 1).getFirst().leaseId();
        Command.Enqueue rerun = new Command.Enqueue(
                QUEUE.name(), Optional.of(Pid.of("a")), SmallPartition.DATA, Command.IfExists.RERUN, 0);
        partition.answer(
                Reply.Updated.class,
                new Command.Update(QUEUE.group(), List.of(rerun), List.of(), List.of(), List.of()));
        Command.Release untried = new Command.Release(QUEUE.name(), Pid.of("a"), lease, 0, true);
        partition.answer(
                Reply.Updated.class,
                new Command.Update(QUEUE.group(), List.of(), List.of(), List.of(), List.of(untried)));

        TaskWrite stored = partition.flush().tasks().getFirst();
        assertThat(stored.attempt()).isZero();
        assertThat(stored.remembers()).isTrue();
        assertThat(stored.rerun()).isNotNull();
        assertThat(stored.hasState()).isTrue();
    }

    @Test
    void aRoundWritesOnlyWhatHasChanged() {
        partition.enqueue(QUEUE, "a", "b");
        assertThat(partition.flush().tasks()).allSatisfy(write -> {
            assertThat(write.data()).isNotNull();
            assertThat(write.dataBytes()).isEqualTo(SmallPartition.DATA.bytes());
            assertThat(write.hasState()).isFalse();
            assertThat(write.firesMillis()).isZero();
        });
        partition.lease(QUEUE, 1);
        TaskWrite leased = partition.flush().tasks().getFirst();
        assertThat(leased.data()).as("is there already").isNull();
        assertThat(leased.hasState()).isTrue();
        assertThat(leased.firesMillis()).isEqualTo(1_000 + SmallPartition.LEASE_MILLIS);
        assertThat(leased.staleFiresMillis()).isZero();
        assertThat(leased.deletes()).isEqualTo(CellSet.NONE);
        partition.dequeue(QUEUE, "a");
        TaskWrite deletion = partition.flush().tasks().getFirst();
        assertThat(deletion.present()).isFalse();
        assertThat(deletion.hasState()).isFalse();
        assertThat(deletion.staleFiresMillis()).isEqualTo(leased.firesMillis());
        assertThat(deletion.deletes()).isEqualTo(CellSet.of(false, CellSet.DATA + CellSet.STATE));
        assertThat(partition.flush().tasks()).isEmpty();
    }

    @Test
    void whatIsRememberedIsWrittenOnce() {
        partition.enqueue(QUEUE, "a");
        partition.lease(QUEUE, 1);
        partition.flush();
        Enqueued rerun = new Enqueued(SmallPartition.DATA, 1_000, 0);
        Command.Enqueue again = new Command.Enqueue(
                QUEUE.name(), Optional.of(Pid.of("a")), SmallPartition.DATA, Command.IfExists.RERUN, 0);
        partition.answer(
                Reply.Updated.class,
                new Command.Update(QUEUE.group(), List.of(again), List.of(), List.of(), List.of()));
        assertThat(partition.flush().tasks()).extracting(TaskWrite::rerun).containsExactly(rerun);
        Command.Renew renew = new Command.Renew(
                QUEUE.name(),
                Pid.of("a"),
                Objects.requireNonNull(task("a").grant).leaseId(),
                50_000);
        partition.answer(
                Reply.Updated.class,
                new Command.Update(QUEUE.group(), List.of(), List.of(), List.of(renew), List.of()));
        task("a").rerun = rerun;
        TaskWrite renewed = partition.flush().tasks().getFirst();
        assertThat(renewed.rerun()).as("is there already").isNull();
        assertThat(renewed.remembers()).isTrue();
    }

    @Test
    void onlyCellsThatMayBeThereAreDeleted() {
        partition.enqueue(QUEUE, "a", "b");
        partition.lease(QUEUE, 1);
        partition.flush();
        partition.nowMillis += SmallPartition.LEASE_MILLIS;
        partition.dequeue(QUEUE, "b");
        assertThat(partition.flush().tasks())
                .extracting(TaskWrite::deletes)
                .as("never leased")
                .containsExactly(CellSet.of(false, CellSet.DATA));
        partition.answer(
                Reply.Updated.class,
                new Command.Update(
                        QUEUE.group(),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(new Command.Release(QUEUE.name(), Pid.of("a"), 0, 0, false))));
        partition.flush();
        partition.dequeue(QUEUE, "a");
        assertThat(partition.flush().tasks())
                .extracting(TaskWrite::deletes)
                .as("released")
                .containsExactly(CellSet.of(false, CellSet.DATA + CellSet.STATE));
    }

    @Test
    void aRecordIsDeletedOnlyIfItMayBeStored() {
        partition.enqueue(QUEUE, "a");
        partition.dequeue(QUEUE, "a");
        FlushRound.RecordWrite neverStored = partition.flush().records().getFirst();
        assertThat(neverStored.forget()).isTrue();
        assertThat(neverStored.stored()).isFalse();
        assertThat(state.queue(QUEUE)).isNull();

        partition.enqueue(QUEUE, "a");
        FlushRound.RecordWrite stored = partition.flush().records().getFirst();
        assertThat(stored.forget()).isFalse();
        assertThat(stored.record().sizes()).isEqualTo(new Sizes(1, 0, 0));
        assertThat(stored.record().lowWater()).as("scans begin there").isEqualTo(Pid.of("a"));
        partition.dequeue(QUEUE, "a");
        FlushRound.RecordWrite forgotten = partition.flush().records().getFirst();
        assertThat(forgotten.forget()).isTrue();
        assertThat(forgotten.stored()).isTrue();
    }

    private Task task(String pid) {
        return Objects.requireNonNull(partition.queue(QUEUE).present(Pid.of(pid)));
    }
}
