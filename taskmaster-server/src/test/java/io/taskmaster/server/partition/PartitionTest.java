package io.taskmaster.server.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Enqueue;
import io.taskmaster.command.Command.IfExists;
import io.taskmaster.command.Command.Payload;
import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.Command.Update;
import io.taskmaster.command.Reply;
import io.taskmaster.command.Reply.Status;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.proxy.route.ReplySink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of requests through a whole partition, on the reference store. */
final class PartitionTest extends OnePartition {

    @Test
    void enqueuedTasksAreLeasedInOrderAndDequeued() {
        update(enqueue("b"), enqueue("a"));
        List<Reply.LeasedTask> tasks = lease(10);

        assertThat(tasks).extracting(task -> task.pid().toString()).containsExactly("a", "b");
        assertThat(tasks).extracting(Reply.LeasedTask::attempt).containsOnly(1);
        assertThat(lease(10)).isEmpty();
        assertThat(dequeue(tasks.getFirst()).success()).isTrue();
        assertThat(summary()).isEqualTo(new Reply.Summary(QUEUE, 0, 1, 0));
    }

    @Test
    void everythingSurvivesARestartWithAndWithoutFlush() {
        update(enqueue("a"), enqueue("b"), enqueue("c"));
        Reply.LeasedTask leased = lease(1).getFirst();
        for (long flushed : new long[] {0, 5_000, 0}) {
            loop.pass(flushed);
            restart(1 << 20);
            assertThat(summary()).isEqualTo(new Reply.Summary(QUEUE, 2, 1, 0));
        }
        assertThat(dequeue(leased).success()).isTrue();
        restart(1 << 20);
        assertThat(lease(10)).extracting(task -> task.pid().toString()).containsExactly("b", "c");
    }

    @Test
    void metersTellWhatMemoryServesAndWhatIsStillInTheLogAlone() {
        update(enqueue("a"), enqueue("b"));
        lease(1);
        peek("", 9);
        assertThat(metered("taskmaster.served", "from", "memory")).isEqualTo(2);
        assertThat(metered("taskmaster.log.unflushed")).isPositive();
        assertThat(metered("taskmaster.log.waiting")).isZero();

        loop.pass(5_000);
        assertThat(metered("taskmaster.log.unflushed")).isZero();
        assertThat(meters.get("taskmaster.flush.rounds").timer().count()).isPositive();
        assertThat(metered("taskmaster.served", "from", "store")).isZero();

        restart(1 << 20);
        assertThat(metered("taskmaster.partitions", "state", "serving")).isEqualTo(1);
        lease(1);
        assertThat(metered("taskmaster.served", "from", "store")).isEqualTo(1);
        partition.stop("end");
        assertThat(metered("taskmaster.log.unflushed")).isZero();
        assertThat(metered("taskmaster.partitions", "state", "serving")).isZero();
        assertThat(metered("taskmaster.partitions", "state", "stopped")).isEqualTo(1);
    }

    @Test
    void expiredLeaseIsOfferedAgainAfterARestart() {
        update(enqueue("a"));
        lease(1);
        loop.pass(5_000);
        restart(1 << 20);
        assertThat(summary().leased()).isEqualTo(1);
        loop.pass(60_000);
        assertThat(summary()).isEqualTo(new Reply.Summary(QUEUE, 1, 0, 0));
        assertThat(lease(1)).extracting(Reply.LeasedTask::attempt).containsExactly(2);
    }

    @Test
    void aBacklogLargerThanTheWindowKeepsItsOrder() {
        restart(40_000);
        List<Integer> numbers =
                new ArrayList<>(IntStream.range(0, 2_000).boxed().toList());
        java.util.Collections.shuffle(numbers, new Random(7));
        for (int from = 0; from < numbers.size(); from += 20) {
            update(numbers.subList(from, from + 20).stream()
                    .map(n -> enqueue("%05d".formatted(n)))
                    .toArray(Enqueue[]::new));
            loop.pass(50);
        }
        loop.pass(5_000);
        assertThat(summary().available()).isEqualTo(2_000);
        assertThat(budget.windowsInUse()).isLessThan(44_000);
        List<String> leased = new ArrayList<>();
        while (leased.size() < 2_000) {
            List<Reply.LeasedTask> some = lease(30);
            assertThat(some).isNotEmpty();
            some.forEach(task -> leased.add(task.pid().toString()));
            if (leased.size() % 4 == 0) {
                some.forEach(task -> assertThat(dequeue(task).success()).isTrue());
            }
            loop.pass(20);
        }
        assertThat(leased).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void collapseBeyondTheWindowIsReadFirst() {
        restart(10_000);
        for (int i = 0; i < 200; i++) {
            update(enqueue("%03d".formatted(i)));
        }
        loop.pass(5_000);
        Reply.Updated again = update(enqueue("199"), enqueue("200"));
        assertThat(again.enqueues()).containsExactly(Status.COLLAPSED, Status.OK);
        assertThat(summary().available()).isEqualTo(201);
    }

    @Test
    void deletedQueueIsEmptyAtOnceAndStaysEmpty() {
        update(enqueue("a"), enqueue("b"));
        loop.pass(3_000);
        Reply.Deleted deleted =
                (Reply.Deleted) submit(new Command.Delete(Selector.of(QUEUE))).get();
        assertThat(deleted.queues()).containsExactly(new Reply.Summary(QUEUE, 2, 0, 0));
        assertThat(lease(1)).isEmpty();
        update(enqueue("a"));
        restart(1 << 20);
        loop.pass(3_000);
        restart(1 << 20);
        assertThat(lease(5)).hasSize(1);
    }

    @Test
    void aDeletedQueueIsToBeClearedUntilItsRowsAreGone() {
        QueueKey other = QueueKey.of("other");
        update(enqueue("a"), enqueue("other", "b"));
        loop.pass(3_000);
        submit(new Command.Delete(Selector.of(QUEUE))).get();
        assertThat(uncleared(QUEUE, other)).isCompletedWithValue(1);
        restart(1 << 20);
        assertThat(uncleared(QUEUE, other)).isCompletedWithValue(1);
        loop.pass(3_000);
        assertThat(uncleared(QUEUE, other)).isCompletedWithValue(0);
        restart(1 << 20);
        assertThat(uncleared(QUEUE, other)).isCompletedWithValue(0);
        partition.stop("closed");
        assertThat(uncleared(QUEUE))
                .failsWithin(Duration.ZERO)
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(TaskMasterException.class);
    }

    private CompletableFuture<Integer> uncleared(QueueKey... queues) {
        CompletableFuture<Integer> replies = new CompletableFuture<>();
        partition.uncleared(List.of(queues), replies);
        loop.tick();
        return replies;
    }

    @Test
    void peekShowsStoredAndUnflushedTasksInOrder() {
        restart(10_000);
        for (int i = 0; i < 100; i++) {
            update(enqueue("%03d".formatted(2 * i)));
        }
        loop.pass(5_000);
        update(enqueue("051"));
        lease(3);
        Reply.Peeked first = peek("", 30);
        assertThat(first.tasks()).hasSize(30);
        assertThat(first.tasks().subList(0, 4))
                .extracting(Reply.PeekedTask::phase)
                .containsExactly(
                        Reply.TaskPhase.LEASED,
                        Reply.TaskPhase.LEASED,
                        Reply.TaskPhase.LEASED,
                        Reply.TaskPhase.AVAILABLE);
        List<String> all = new ArrayList<>();
        String from = "";
        while (true) {
            Reply.Peeked page = peek(from, 7);
            page.tasks().forEach(task -> all.add(task.pid().toString()));
            if (page.next().isEmpty()) {
                break;
            }
            from = page.next().get().toString();
        }
        assertThat(all).hasSize(101).isSorted().contains("051");
    }

    @Test
    void othersAreServedWhileManyQueuesAreAddedUpAndCountToo() {
        update(IntStream.range(0, 5_000).mapToObj(i -> enqueue("q" + i, "a")).toArray(Enqueue[]::new));
        Command total =
                new Command.Describe(new Selector(Optional.of(QUEUE.group()), List.of(), Optional.empty()), 0, 1);
        Answer<Reply.Described> early = new Answer<>();
        Answer<Reply.Described> late = new Answer<>();
        partition.submit(total, early);
        boolean _ = loop.step();
        boolean _ = loop.step();
        Answer<Reply.Updated> counted = new Answer<>();
        // Without a PID no read is needed first.
        List<Enqueue> oneMore = List.of(new Enqueue(
                QueueName.of("q0"), Optional.empty(), new Payload(Bytes.EMPTY, Map.of()), IfExists.COLLAPSE, 0));
        partition.submit(new Update(GroupName.EMPTY, oneMore, List.of(), List.of(), List.of()), counted);
        partition.submit(total, late);
        assertThat(early.replies).isEmpty();
        loop.tick();

        assertThat(counted.get().success()).isTrue();
        assertThat(List.of(early.get(), late.get())).allSatisfy(described -> {
            assertThat(described.matched()).isEqualTo(5_000);
            assertThat(described.total().summary().available()).isEqualTo(5_001);
            assertThat(described.queues()).hasSize(1);
        });
    }

    @Test
    void whatFailsUnexpectedlyBehindAReadEndsTheEpochAndEverybodyIsTold() {
        update(enqueue("a"), enqueue("b"));
        loop.pass(5_000);
        restart(1 << 20);
        List<String> replies = new ArrayList<>();
        // Both have to wait for rows; the sink of the first throws while the result of the read is handled.
        partition.submit(leaseCommand(1, 0), recording(replies, "broken", true));
        partition.submit(leaseCommand(1, 0), recording(replies, "bystander", false));
        partition.submit(leaseCommand(1, 30_000), recording(replies, "waiter", false));
        loop.tick();

        assertThat(partition.ended()).isCompleted();
        assertThat(replies).hasSize(3).doesNotHaveDuplicates();
        assertThat(replies).contains("broken answered");
        restart(1 << 20);
        assertThat(summary().available() + summary().leased()).isEqualTo(2);
    }

    private static ReplySink recording(List<String> replies, String name, boolean breaks) {
        return new ReplySink() {
            @Override
            public void reply(Reply reply) {
                replies.add(name + " answered");
                if (breaks) {
                    throw new IllegalStateException("broken on purpose");
                }
            }

            @Override
            public void fail(TaskMasterException error) {
                replies.add(name + " " + error.code());
            }
        };
    }
}
