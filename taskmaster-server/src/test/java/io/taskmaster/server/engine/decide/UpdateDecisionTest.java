package io.taskmaster.server.engine.decide;

import static io.taskmaster.server.engine.state.SmallPartition.DATA;
import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Dequeue;
import io.taskmaster.command.Command.Enqueue;
import io.taskmaster.command.Command.IfExists;
import io.taskmaster.command.Command.Release;
import io.taskmaster.command.Command.Renew;
import io.taskmaster.command.Command.Update;
import io.taskmaster.command.FifoPid;
import io.taskmaster.command.Reply;
import io.taskmaster.command.Reply.LeasedTask;
import io.taskmaster.command.Reply.Status;
import io.taskmaster.command.Reply.Updated;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.server.engine.command.ApplyAtom;
import io.taskmaster.server.engine.command.Decision;
import io.taskmaster.server.engine.command.Enqueued;
import io.taskmaster.server.engine.command.Sizes;
import io.taskmaster.server.engine.index.EngineState;
import io.taskmaster.server.engine.state.EngineSettings;
import io.taskmaster.server.engine.state.PartitionState;
import io.taskmaster.server.engine.state.SmallPartition;
import io.taskmaster.server.engine.state.StateFixture;
import io.taskmaster.server.engine.state.Task;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests of updates: the reads that are needed before one can be judged, and those that are not. */
final class UpdateDecisionTest {

    private static final QueueKey QUEUE = QueueKey.of("g", "q");
    private static final Pid A = Pid.of("a");
    private static final Pid B = Pid.of("b");

    private final SmallPartition partition = new SmallPartition();

    @Test
    void aTaskThatIsNotInMemoryIsReadOnceHoweverOftenItIsNamed() {
        partition.enqueue(QUEUE, "a", "b");
        partition.flush();
        partition.state.evict(Long.MAX_VALUE);
        Update update = new Update(
                QUEUE.group(),
                List.of(enqueue(Optional.of(A), IfExists.REPLACE)),
                List.of(dequeue(A), dequeue(B)),
                List.of(renew(A)),
                List.of(release(B, 0)));
        assertThat(partition.decide(update)).isEqualTo(waits(row(A, false), row(B, false)));
        assertThat(partition.decide(update(enqueue(Optional.of(A), IfExists.FAIL))))
                .isEqualTo(waits(row(A, false)));
        assertThat(partition.decide(update(renew(A)))).isEqualTo(waits(row(A, false)));
        assertThat(partition.decide(update(release(A, 0)))).isEqualTo(waits(row(A, false)));
    }

    @Test
    void aLeaseUnderWhichNobodyHasWorkedIsNoAttempt() {
        partition.enqueue(QUEUE, "a");
        for (int i = 0; i < 3; i++) {
            assertThat(partition.lease(QUEUE, 1)).first().returns(1, LeasedTask::attempt);
            partition.answer(Updated.class, update(new Release(QUEUE.name(), A, 0, 0, true)));
        }
        assertThat(partition.lease(QUEUE, 1)).first().returns(1, LeasedTask::attempt);
        partition.answer(Updated.class, update(release(A, 0)));
        assertThat(partition.lease(QUEUE, 1)).first().returns(2, LeasedTask::attempt);
    }

    @Test
    void whatIsKnownBesideItDoesNotMakeATaskKnown() {
        partition.enqueue(QUEUE, "a");
        partition.flush();
        partition.enqueue(QUEUE, "b");
        partition.state.evict(Long.MAX_VALUE);
        Dequeue elsewhere = new Dequeue(QueueName.of("not there"), A, 0);
        assertThat(partition.decide(new Update(
                        QUEUE.group(), List.of(), List.of(dequeue(A), elsewhere), List.of(renew(B)), List.of())))
                .isEqualTo(waits(row(A, false)));
    }

    @Test
    void anInstantThatHasComeIsNoDelay() {
        Enqueue now = new Enqueue(QUEUE.name(), Optional.of(A), DATA, IfExists.FAIL, partition.nowMillis);
        partition.answer(Updated.class, update(now));
        assertThat(partition.queue(QUEUE).sizes()).isEqualTo(new Sizes(1, 0, 0));
    }

    @Test
    void aTaskEnqueuedWithoutAPidNeedsNoRead() {
        partition.enqueue(QUEUE, "a");
        partition.flush();
        partition.state.evict(Long.MAX_VALUE);
        assertThat(partition
                        .answer(Updated.class, update(enqueue(Optional.empty(), IfExists.FAIL)))
                        .enqueues())
                .containsExactly(Status.OK);
    }

    @Test
    void ofAQueueThatIsNotThereEverythingIsKnown() {
        assertThat(partition.answer(Updated.class, update(dequeue(A))).dequeues())
                .containsExactly(Status.NOT_FOUND);
    }

    @Test
    void whatIsRememberedIsReadBeforeItTakesThePlaceOfItsTaskAndNotBefore() {
        lease(A);
        partition.answer(Updated.class, update(enqueue(Optional.of(A), IfExists.RERUN)));
        partition.flush();
        assertThat(partition.decide(update(dequeue(A)))).isEqualTo(waits(row(A, true)));
        assertThat(partition.decide(update(release(A, 9_000)))).isEqualTo(waits(row(A, true)));
        assertThat(partition.decide(update(renew(A)))).isInstanceOf(Decision.Done.class);
        assertThat(partition.decide(update(release(A, 0)))).isInstanceOf(Decision.Done.class);
        assertThat(partition.decide(update(enqueue(Optional.of(A), IfExists.RERUN))))
                .isInstanceOf(Decision.Done.class);
    }

    @Test
    void theDataOfATaskAreReadBeforeItIsMoved() {
        lease(A);
        partition.flush();
        assertThat(partition.decide(update(release(A, partition.nowMillis + 1))))
                .isEqualTo(waits(row(A, false)));
        assertThat(partition.decide(update(release(A, partition.nowMillis))))
                .as("it stays where it is")
                .isInstanceOf(Decision.Done.class);
        assertThat(partition.decide(update(dequeue(A)))).isInstanceOf(Decision.Done.class);
    }

    @Test
    void theDataAreNoUseWithoutWhatIsRememberedBesideThem() {
        lease(A);
        partition.answer(Updated.class, update(enqueue(Optional.of(A), IfExists.RERUN)));
        partition.flush();
        Task task = Objects.requireNonNull(partition.queue(QUEUE).present(A));
        StateFixture.loadData(task, new Enqueued(DATA, 1_000, 0));
        assertThat(partition.decide(update(release(A, 9_000)))).isEqualTo(waits(row(A, true)));
    }

    @Test
    void whatIsRememberedTakesThePlaceOfItsTask() {
        lease(A);
        partition.answer(Updated.class, update(enqueue(Optional.of(A), IfExists.RERUN)));
        partition.nowMillis += 10;
        partition.answer(Updated.class, update(dequeue(A)));
        assertThat(partition.queue(QUEUE).sizes()).isEqualTo(new Sizes(1, 0, 0));
        assertThat(partition.lease(QUEUE, 1))
                .extracting(Reply.LeasedTask::attempt)
                .containsExactly(1);
        partition.answer(Updated.class, update(dequeue(A)));
        assertThat(partition.queue(QUEUE).sizes()).as("once").isEqualTo(Sizes.NONE);
    }

    @Test
    void whatTakesThePlaceOfItsTaskIsDelayedUntilItsInstant() {
        Enqueue later = new Enqueue(QUEUE.name(), Optional.of(A), DATA, IfExists.RERUN, 2_000);
        lease(A);
        partition.answer(Updated.class, update(later));
        partition.nowMillis = 1_999;
        partition.answer(Updated.class, update(dequeue(A)));
        assertThat(partition.queue(QUEUE).sizes()).isEqualTo(new Sizes(0, 0, 1));
        partition.dequeue(QUEUE, "a");
        partition.nowMillis = 1_000;
        lease(A);
        partition.answer(Updated.class, update(later));
        partition.nowMillis = 2_000;
        partition.answer(Updated.class, update(dequeue(A)));
        assertThat(partition.queue(QUEUE).sizes()).isEqualTo(new Sizes(1, 0, 0));
    }

    @Test
    void assignedPidsGoOnBehindALargeOneUntilTheQueueIsEmpty() {
        Pid large = new FifoPid(1_000, 0).toPid();
        partition.answer(Updated.class, update(enqueue(Optional.of(large), IfExists.FAIL)));
        partition.enqueue(QUEUE, "a");
        partition.lease(QUEUE, 1);
        assertThat(partition.enqueueNext(QUEUE)).as("one leased").isEqualTo(new FifoPid(1_000, 1).toPid());
        partition.dequeue(QUEUE, "a");
        partition.enqueue(QUEUE, DATA, 9_000, "b", "c");
        assertThat(partition.enqueueNext(QUEUE)).as("two delayed").isEqualTo(new FifoPid(1_000, 2).toPid());
        partition.answer(Reply.Deleted.class, new Command.Delete(Command.Selector.of(QUEUE)));
        assertThat(partition.enqueueNext(QUEUE)).isLessThan(large);
    }

    @Test
    void anUpdateDoesNotWaitForTheTimeIndexAndALeaseDoes() {
        PartitionState unread = new PartitionState(EngineSettings.DEFAULTS);
        unread.recovered();
        assertThat(Engine.decide(EngineState.of(unread), update(dequeue(A)), 1_000))
                .isInstanceOf(Decision.Done.class);
        assertThat(Engine.decide(
                        EngineState.of(unread), SmallPartition.leaseOf(Command.Selector.of(QUEUE), 1, 1), 1_000))
                .isEqualTo(waits(new Decision.Time()));
    }

    @Test
    void delayedTasksAreMovedToTheirPlacesAFewAtATime() {
        partition.enqueue(QUEUE, DATA, 2_000, "a", "b", "c");
        long bytes = Objects.requireNonNull(partition.queue(QUEUE).present(A)).costBytes();
        assertThat(Engine.activate(partition.state, 9, 1 << 20)).isNull();
        partition.state.advance(2_000);
        assertThat(moved(9, 1)).as("the first one, however large").isEqualTo(1);
        assertThat(moved(9, 2 * bytes - 1)).isEqualTo(1);
        assertThat(moved(9, 2 * bytes)).isEqualTo(2);
        assertThat(moved(9, 3 * bytes)).isEqualTo(3);
        assertThat(moved(2, 3 * bytes)).isEqualTo(2);
    }

    private long moved(int maxTasks, long maxBytes) {
        ApplyAtom atom = Objects.requireNonNull(Engine.activate(partition.state, maxTasks, maxBytes));
        Sizes sizes = atom.queues().getFirst().sizes();
        assertThat(sizes.total()).isEqualTo(3);
        return sizes.available();
    }

    @Test
    void anUpdateIsRememberedThoughItChangesNothing() {
        partition.enqueue(QUEUE, "a");
        Update collapsed = new Update(
                QUEUE.group(),
                List.of(enqueue(Optional.of(A), IfExists.COLLAPSE)),
                List.of(),
                List.of(),
                List.of(),
                Optional.of(Bytes.of("id")));
        assertThat(partition.answer(Updated.class, collapsed).enqueues()).containsExactly(Status.COLLAPSED);
        partition.dequeue(QUEUE, "a");
        assertThat(partition.answer(Updated.class, collapsed).enqueues()).containsExactly(Status.COLLAPSED);
        assertThat(partition.queue(QUEUE).total()).isZero();
    }

    @Test
    void anUpdateThatChangesNothingAndHasNoIdIsNoAtom() {
        partition.enqueue(QUEUE, "a");
        Decision.Done done = (Decision.Done) partition.decide(update(enqueue(Optional.of(A), IfExists.COLLAPSE)));
        assertThat(done.atom()).isNull();
    }

    private void lease(Pid pid) {
        partition.enqueue(QUEUE, pid.toString());
        assertThat(partition.lease(QUEUE, 1)).hasSize(1);
    }

    private Decision waits(Decision.Need... needs) {
        return new Decision.Waits(List.of(needs));
    }

    private Decision.Need row(Pid pid, boolean withRerun) {
        return new Decision.TaskRow(QUEUE, partition.queue(QUEUE).generation(), pid, withRerun);
    }

    private static Update update(Enqueue enqueue) {
        return new Update(QUEUE.group(), List.of(enqueue), List.of(), List.of(), List.of());
    }

    private static Update update(Dequeue dequeue) {
        return new Update(QUEUE.group(), List.of(), List.of(dequeue), List.of(), List.of());
    }

    private static Update update(Renew renew) {
        return new Update(QUEUE.group(), List.of(), List.of(), List.of(renew), List.of());
    }

    private static Update update(Release release) {
        return new Update(QUEUE.group(), List.of(), List.of(), List.of(), List.of(release));
    }

    private static Enqueue enqueue(Optional<Pid> pid, IfExists ifExists) {
        return new Enqueue(QUEUE.name(), pid, DATA, ifExists, 0);
    }

    private static Dequeue dequeue(Pid pid) {
        return new Dequeue(QUEUE.name(), pid, 0);
    }

    private static Renew renew(Pid pid) {
        return new Renew(QUEUE.name(), pid, 7, 100);
    }

    private static Release release(Pid pid, long notBeforeMillis) {
        return new Release(QUEUE.name(), pid, 0, notBeforeMillis, false);
    }
}
