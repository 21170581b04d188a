package io.taskmaster.server.engine.decide;

import static io.taskmaster.server.engine.state.SmallPartition.DATA;
import static io.taskmaster.server.engine.state.SmallPartition.leaseOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Lease;
import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.QueueOptions;
import io.taskmaster.command.Reply;
import io.taskmaster.command.Reply.Leased;
import io.taskmaster.command.Reply.LeasedTask;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.command.Decision;
import io.taskmaster.server.engine.command.Sizes;
import io.taskmaster.server.engine.state.SmallPartition;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Tests of the size of a lease, the queues that it takes from, and its parts: the bounds that random runs do not reach.
 */
final class LeaseDecisionTest {

    private static final QueueKey QUEUE = QueueKey.of("g", "q");
    private static final Selector GROUP = new Selector(Optional.of(GroupName.of("g")), List.of(), Optional.empty());

    /** The bytes of a task of these tests in a reply. */
    private static final int TASK_BYTES = (int) Reply.replyBytesOf(QUEUE, Pid.of("a"), DATA);

    private final SmallPartition partition = new SmallPartition();

    @Test
    void aLargeLeaseIsDecidedInPartsThatTogetherAreWhatWasAskedFor() {
        partition.enqueue(QUEUE, pids(2_500));
        Lease lease = leaseOf(Selector.of(QUEUE), 2_200, 1 << 30);

        Decision.Partly first = (Decision.Partly) partition.decide(lease);
        Leased some = partition.answer(Leased.class, lease, first.part());
        assertThat(some.tasks()).hasSize(1_000);
        long bytes = some.tasks().stream().mapToLong(LeasedTask::replyBytes).sum();
        assertThat(first.remainder()).isEqualTo(lease.without(1_000, bytes));

        Decision.Partly second = (Decision.Partly) partition.decide(first.remainder());
        assertThat(partition
                        .answer(Leased.class, first.remainder(), second.part())
                        .tasks())
                .hasSize(1_000);
        assertThat(partition.answer(Leased.class, second.remainder()).tasks()).hasSize(200);
    }

    @Test
    void aLeaseThatFitsIntoOnePartIsOne() {
        partition.enqueue(QUEUE, pids(1_500));
        assertThat(partition.lease(QUEUE, 1_000)).hasSize(1_000);
        assertThat(partition.lease(QUEUE, 1_000)).as("no more are left").hasSize(500);
    }

    @Test
    void itTakesNoMoreBytesThanItMayAndAllThatItMay() {
        partition.enqueue(QUEUE, "a", "b", "c");
        assertThat(leased(leaseOf(Selector.of(QUEUE), 9, 2 * TASK_BYTES))).containsExactly("a", "b");
        partition.enqueue(QUEUE, "d");
        assertThat(leased(leaseOf(Selector.of(QUEUE), 9, 2 * TASK_BYTES - 1))).containsExactly("c");
    }

    @Test
    void theFirstTaskMayBeLargerButNotThatOfARest() {
        partition.enqueue(QUEUE, "a", "b");
        Lease tiny = leaseOf(Selector.of(QUEUE), 9, 1);
        assertThat(leased(tiny.without(0, 0))).isEmpty();
        assertThat(leased(tiny)).containsExactly("a");
        assertThat(leased(leaseOf(Selector.of(QUEUE), 9, TASK_BYTES).without(0, 0)))
                .containsExactly("b");
    }

    @Test
    void aQueueInWhichThereIsNoRoomLeftEndsALeaseOfMany() {
        partition.enqueue(QueueKey.of("g", "p"), "a");
        partition.enqueue(QUEUE, "a", "b");
        assertThat(leased(leaseOf(GROUP, 9, 2 * TASK_BYTES))).containsExactly("a", "a");
        assertThat(leased(leaseOf(GROUP, 9, TASK_BYTES))).containsExactly("b");
    }

    @Test
    void aTaskThatIsLeasedForTheSecondTimeSaysSoAndIsCountedOnce() {
        partition.enqueue(QUEUE, "a", "b");
        partition.lease(QUEUE, 1);
        partition.nowMillis += SmallPartition.LEASE_MILLIS;
        assertThat(partition.lease(QUEUE, 2)).extracting(LeasedTask::attempt).containsExactly(2, 1);
        assertThat(partition.queue(QUEUE).sizes()).isEqualTo(new Sizes(0, 2, 0));
    }

    @Test
    void noTaskBehindTheLargestPidIsLeased() {
        partition.enqueue(QUEUE, "a", "b", "c");
        assertThat(leased(upTo("b"))).containsExactly("a", "b");
        assertThat(leased(upTo("b"))).isEmpty();
    }

    @Test
    void whatHasToBeReadForALargestPidIsReadUpToItAndNoFurther() {
        partition.enqueue(QUEUE, "c", "d");
        partition.flush();
        partition.state.evict(Long.MAX_VALUE);
        Decision read = new Decision.Waits(List.of(new Decision.MoreTasks(QUEUE)));
        assertThat(partition.decide(upTo("c"))).isEqualTo(read);
        assertThat(partition.decide(upTo("d"))).isEqualTo(read);
        assertThat(leased(upTo("b"))).isEmpty();
    }

    @Test
    void whereNothingIsAtHandSomeOfTheQueuesAreReadAtOnce() {
        for (int i = 0; i < 100; i++) {
            partition.enqueue(QueueKey.of("g", "q" + i), "a");
        }
        partition.flush();
        partition.state.evict(Long.MAX_VALUE);
        Decision.Waits waits = (Decision.Waits) partition.decide(leaseOf(GROUP, 5, 1 << 20));
        assertThat(waits.needs())
                .hasSize(64)
                .doesNotHaveDuplicates()
                .allSatisfy(need -> assertThat(need).isInstanceOf(Decision.MoreTasks.class));
    }

    @Test
    void aQueueThatHasToBeReadIsPassedOverForOneThatHasSomething() {
        partition.enqueue(QUEUE, "a");
        partition.flush();
        partition.state.evict(Long.MAX_VALUE);
        partition.enqueue(QueueKey.of("g", "r"), "b");
        Decision.Done done = (Decision.Done) partition.decide(leaseOf(GROUP, 5, 1 << 20));
        assertThat(((Leased) done.reply()).tasks())
                .extracting(LeasedTask::queue)
                .containsExactly(QueueKey.of("g", "r"));
        assertThat(done.skipped()).containsExactly(QUEUE);
    }

    @Test
    void dataThatAreNotInMemoryAreReadFirstAsFarAsTheyAreWanted() {
        partition.enqueue(QUEUE, "a", "b", "c", "d");
        partition.lease(QUEUE, 4);
        partition.flush();
        partition.nowMillis += SmallPartition.LEASE_MILLIS;
        assertThat(partition.decide(leaseOf(Selector.of(QUEUE), 1, 1 << 20))).isEqualTo(waits("a"));
        assertThat(partition.decide(leaseOf(Selector.of(QUEUE), 3, 1 << 20))).isEqualTo(waits("a", "b", "c"));
        partition.enqueue(QUEUE, "b");
        assertThat(partition.decide(leaseOf(Selector.of(QUEUE), 2, 1 << 20)))
                .as("the second one is at hand")
                .isEqualTo(waits("a"));
        assertThat(partition.decide(leaseOf(Selector.of(QUEUE), 3, 1 << 20))).isEqualTo(waits("a", "c"));
    }

    private Decision waits(String... pids) {
        long generation = partition.queue(QUEUE).generation();
        return new Decision.Waits(List.of(pids).stream()
                .<Decision.Need>map(pid -> new Decision.TaskRow(QUEUE, generation, Pid.of(pid), false))
                .toList());
    }

    @Test
    void aQueueThatMayHaveNoMoreLeasesIsNotRead() {
        partition.enqueue(QUEUE, "a", "b");
        partition.answer(Reply.Configured.class, new Command.Configure(QUEUE, new QueueOptions(false, 1, 1)));
        partition.lease(QUEUE, 1);
        partition.flush();
        partition.state.evict(Long.MAX_VALUE);
        assertThat(leased(leaseOf(Selector.of(QUEUE), 1, 1 << 20))).isEmpty();
    }

    @Test
    void aWatchFindsWhatALeaseWouldGetAtOnceInPartsOrAfterARead() {
        Command.Watch watch = new Command.Watch(leaseOf(Selector.of(QUEUE), 2_000, 1 << 20));
        assertThat(partition.answer(Reply.Watched.class, watch).found()).isFalse();
        partition.enqueue(QUEUE, "a");
        assertThat(partition.answer(Reply.Watched.class, watch).found()).isTrue();
        partition.enqueue(QUEUE, pids(1_500));
        assertThat(partition.answer(Reply.Watched.class, watch).found()).isTrue();
        partition.flush();
        partition.state.evict(Long.MAX_VALUE);
        assertThat(partition.answer(Reply.Watched.class, watch).found()).isTrue();
        assertThat(partition.queue(QUEUE).leased())
                .as("none of which it leases")
                .isZero();
    }

    private List<String> leased(Lease lease) {
        return partition.answer(Leased.class, lease).tasks().stream()
                .map(task -> task.pid().toString())
                .toList();
    }

    private static Lease upTo(String maxPid) {
        return new Lease(Selector.of(QUEUE), 9, 1 << 20, 30_000, Optional.of(Pid.of(maxPid)), 0, 0, "w", "here");
    }

    private static String[] pids(int count) {
        return IntStream.range(0, count).mapToObj("p%05d"::formatted).toArray(String[]::new);
    }
}
