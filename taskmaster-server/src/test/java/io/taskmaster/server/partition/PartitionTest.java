package io.taskmaster.server.partition;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Iterables;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Dequeue;
import io.taskmaster.command.Command.Enqueue;
import io.taskmaster.command.Command.IfExists;
import io.taskmaster.command.Command.Lease;
import io.taskmaster.command.Command.Payload;
import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.Command.Update;
import io.taskmaster.command.Reply;
import io.taskmaster.command.Reply.Status;
import io.taskmaster.command.pattern.NamePattern;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.proxy.route.ReplySink;
import io.taskmaster.server.engine.state.EngineSettings;
import io.taskmaster.server.partition.budget.MemoryBudget;
import io.taskmaster.server.partition.context.FlushSettings;
import io.taskmaster.server.partition.context.NodeResources;
import io.taskmaster.server.partition.context.PartitionSettings;
import io.taskmaster.server.partition.log.ownership.OwnerCandidate;
import io.taskmaster.server.partition.log.row.LogSettings;
import io.taskmaster.server.partition.loop.TurnedLoop;
import io.taskmaster.server.store.memory.MemoryStore;
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
class PartitionTest {

    private static final QueueKey QUEUE = new QueueKey(GroupName.EMPTY, QueueName.of("q"));

    private final MemoryStore store = new MemoryStore();
    private final TurnedLoop loop = new TurnedLoop();
    private static final int ACTIVATION_BYTES = 10_000;

    /** The budget of the open partition. */
    private MemoryBudget budget = new MemoryBudget(0, 0, 0, 0);

    private SimpleMeterRegistry meters = new SimpleMeterRegistry();

    private Partition partition = open(1 << 20);

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
    void longPollIsWokenByAnEnqueue() {
        Answer<Reply.Leased> poll = submit(leaseCommand(5, 10_000));
        assertThat(poll.replies).isEmpty();
        update(enqueue("a"));
        assertThat(poll.get().tasks()).hasSize(1);
    }

    @Test
    void longPollsThatEndWhenADelayDoesAreAnsweredOnce() {
        submit(new Update(
                GroupName.EMPTY,
                List.of(new Enqueue(
                        QUEUE.name(),
                        Optional.of(Pid.of("a")),
                        new Payload(Bytes.EMPTY, Map.of()),
                        IfExists.COLLAPSE,
                        loop.nowMillis() + 1_000)),
                List.of(),
                List.of(),
                List.of()));
        Answer<Reply.Leased> first = submit(leaseCommand(1, 1_000));
        Answer<Reply.Leased> second = submit(leaseCommand(1, 1_000));
        loop.pass(2_000);
        assertThat(first.get().tasks().size() + second.get().tasks().size()).isEqualTo(1);
    }

    /**
     * Verifies that a waiter takes the first of all tasks in the queue, although each task becomes due in a piece of
     * its own.
     */
    @Test
    void whoWaitsForDelaysGetsTheFirstOfAllThatAreOver() {
        long dueMillis = loop.nowMillis() + 1_000;
        Payload half = new Payload(Bytes.wrap(new byte[ACTIVATION_BYTES]), Map.of());
        for (String pid : List.of("b", "a")) {
            submit(new Update(
                    GroupName.EMPTY,
                    List.of(new Enqueue(QUEUE.name(), Optional.of(Pid.of(pid)), half, IfExists.COLLAPSE, dueMillis++)),
                    List.of(),
                    List.of(),
                    List.of()));
        }
        Answer<Reply.Leased> poll = submit(leaseCommand(1, 10_000));
        loop.jump(2_000);
        assertThat(poll.get().tasks()).extracting(task -> task.pid().toString()).containsExactly("a");
    }

    @Test
    void longPollIsWokenByAnExpiry() {
        update(enqueue("a"));
        lease(1);
        Answer<Reply.Leased> poll = submit(leaseCommand(5, 50_000));
        loop.pass(29_000);
        assertThat(poll.replies).isEmpty();
        loop.pass(1_001);
        assertThat(poll.get().tasks()).hasSize(1);
    }

    @Test
    void ofManyLongPollsOneIsWokenPerTaskInTheOrderOfArrival() {
        List<Answer<Reply.Leased>> polls = IntStream.range(0, 20)
                .mapToObj(i -> this.<Reply.Leased>submit(i % 2 == 0 ? leaseCommand(1, 10_000) : patternLease()))
                .toList();
        for (int i = 0; i < polls.size(); i++) {
            update(enqueue("%02d".formatted(i)));
            assertThat(polls.get(i).get().tasks())
                    .extracting(task -> task.pid().toString())
                    .containsExactly("%02d".formatted(i));
            assertThat(polls.subList(i + 1, polls.size())).allMatch(poll -> poll.replies.isEmpty());
        }
    }

    @Test
    void watchersAreNotToldAllOfOneTask() {
        List<Answer<Reply.Watched>> watchers = IntStream.range(0, 20)
                .mapToObj(i -> this.<Reply.Watched>submit(new Command.Watch(patternLease())))
                .toList();
        update(enqueue("a"));
        assertThat(repliesOf(watchers)).isEqualTo(1);
        update(enqueue("b"), enqueue("c"));
        assertThat(repliesOf(watchers)).isEqualTo(4);

        loop.pass(60);
        assertThat(repliesOf(watchers)).as("nobody came for the tasks").isGreaterThan(4);
        lease(10);
        int repliesBefore = repliesOf(watchers);
        loop.pass(1_000);
        assertThat(repliesOf(watchers)).as("somebody did").isEqualTo(repliesBefore);
    }

    private static int repliesOf(List<Answer<Reply.Watched>> watchers) {
        return (int)
                watchers.stream().filter(watcher -> !watcher.replies.isEmpty()).count();
    }

    private static Lease patternLease() {
        Selector selector =
                new Selector(Optional.of(QUEUE.group()), List.of(), Optional.of(NamePattern.compile("[a-z]+")));
        return new Lease(selector, 1, 1 << 20, 30_000, Optional.empty(), 10_000, 0, "worker", "here");
    }

    @Test
    void longPollEndsEmptyWhenItsTimeIsOver() {
        Answer<Reply.Leased> poll = submit(leaseCommand(5, 1_000));
        loop.pass(1_001);
        assertThat(poll.get().tasks()).isEmpty();
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

    // ---------------------------------------------------------------- helpers

    private Partition open(long windowBytes) {
        PartitionSettings settings = new PartitionSettings(
                new EngineSettings(8, 2, 120_000),
                LogSettings.DEFAULT,
                new FlushSettings(1_000, 1 << 20, 1 << 20, 4_096, 4),
                64,
                100_000,
                16,
                ACTIVATION_BYTES,
                100,
                1_000,
                20,
                2_000,
                100);
        budget = new MemoryBudget(windowBytes, 1 << 24, 1 << 20, Long.MAX_VALUE);
        meters = new SimpleMeterRegistry();
        NodeResources nodeResources = NodeResources.of(budget, settings, meters);
        Partition opened =
                new Partition(0, OwnerCandidate.alone("test"), store, loop, settings, nodeResources, new Random(1));
        var opening = opened.open();
        loop.tick();
        opening.join();
        return opened;
    }

    private double metered(String meter, String... tags) {
        return Iterables.getLast(meters.get(meter).tags(tags).meter().measure()).getValue();
    }

    private void restart(long windowBytes) {
        partition.stop("crash");
        partition = open(windowBytes);
    }

    private static Enqueue enqueue(String pid) {
        return enqueue(QUEUE.name().toString(), pid);
    }

    private static Enqueue enqueue(String queue, String pid) {
        return new Enqueue(
                QueueName.of(queue),
                Optional.of(Pid.of(pid)),
                new Payload(Bytes.of("data of " + pid), Map.of()),
                IfExists.COLLAPSE,
                0);
    }

    private Reply.Updated update(Enqueue... enqueues) {
        return this.<Reply.Updated>submit(
                        new Update(GroupName.EMPTY, List.of(enqueues), List.of(), List.of(), List.of()))
                .get();
    }

    private Reply.Updated dequeue(Reply.LeasedTask task) {
        return this.<Reply.Updated>submit(new Update(
                        GroupName.EMPTY,
                        List.of(),
                        List.of(new Dequeue(QUEUE.name(), task.pid(), task.leaseId())),
                        List.of(),
                        List.of()))
                .get();
    }

    private static Lease leaseCommand(int max, long waitMillis) {
        return new Lease(Selector.of(QUEUE), max, 1 << 20, 30_000, Optional.empty(), waitMillis, 0, "worker", "here");
    }

    private List<Reply.LeasedTask> lease(int max) {
        return this.<Reply.Leased>submit(leaseCommand(max, 0)).get().tasks();
    }

    private Reply.Summary summary() {
        Reply.Listed listed = this.<Reply.Listed>submit(
                        new Command.ListQueues(Selector.of(QUEUE), 0, 0, 10, Optional.empty()))
                .get();
        return listed.queues().getFirst();
    }

    private Reply.Peeked peek(String from, int max) {
        return this.<Reply.Peeked>submit(new Command.Peek(QUEUE, Pid.of(from), max, 1 << 20, true))
                .get();
    }

    private <R extends Reply> Answer<R> submit(Command command) {
        Answer<R> answer = new Answer<>();
        partition.submit(command, answer);
        loop.tick();
        return answer;
    }

    private static final class Answer<R extends Reply> implements ReplySink {

        private final List<R> replies = new ArrayList<>();

        @Override
        @SuppressWarnings("unchecked") // each command has its kind of reply
        public void reply(Reply reply) {
            replies.add((R) reply);
        }

        @Override
        public void fail(TaskMasterException error) {
            throw error;
        }

        R get() {
            assertThat(replies).hasSize(1);
            return replies.getFirst();
        }
    }
}
