package io.taskmaster.server.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Dequeue;
import io.taskmaster.command.Command.Enqueue;
import io.taskmaster.command.Command.IfExists;
import io.taskmaster.command.Command.Lease;
import io.taskmaster.command.Command.Payload;
import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.Command.Update;
import io.taskmaster.command.RankOrder;
import io.taskmaster.command.Ranking;
import io.taskmaster.command.Reply;
import io.taskmaster.command.pattern.NamePattern;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.proxy.route.ReplySink;
import io.taskmaster.server.engine.index.EngineState;
import io.taskmaster.server.engine.rank.QueueScan;
import io.taskmaster.server.engine.rank.RankScan;
import io.taskmaster.server.partition.budget.MemoryBudget;
import io.taskmaster.server.partition.context.NodeResources;
import io.taskmaster.server.partition.context.PartitionSettings;
import io.taskmaster.server.partition.log.ownership.OwnerCandidate;
import io.taskmaster.server.partition.loop.TurnedLoop;
import io.taskmaster.server.store.memory.MemoryStore;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Tests that large requests are processed in slices, and that a small request which arrives meanwhile is answered
 * first.
 */
class SlicesTest {

    private static final Selector ALL = new Selector(Optional.of(GroupName.EMPTY), List.of(), Optional.empty());

    private final MemoryStore store = new MemoryStore();
    private final TurnedLoop loop = new TurnedLoop();
    private Partition partition = open();

    @Test
    void aListOverManyQueuesLetsSmallRequestsIn() {
        enqueue(30_000, i -> name(i));
        Answer list = start(new Command.ListQueues(ALL, 2, 0, 1_000, Optional.empty()));

        assertSmallOvertakes(list);
        assertThat(list.listed().queues()).isEmpty();
    }

    @Test
    void aPageIsMadeOfAllItsSlices() {
        enqueue(30_000, i -> name(i));
        Answer page = start(new Command.ListQueues(ALL, 0, 0, 9_000, Optional.empty()));

        assertThat(page.reply == null).as("it is made in one turn").isTrue();
        assertThat(finished(page).listed().queues())
                .extracting(queue -> queue.queue().name().toString())
                .containsExactlyElementsOf(
                        IntStream.range(0, 9_000).mapToObj(SlicesTest::name).toList());
        assertThat(page.listed().more()).isTrue();

        Command.ListQueues next = new Command.ListQueues(
                ALL, 0, 0, 30_000, Optional.of(page.listed().queues().getLast().queue()));
        assertThat(finished(start(next)).listed().queues()).hasSize(21_000);
        assertThat(finished(start(next)).listed().more()).isFalse();
    }

    @Test
    void manyQueuesAreRankedInSlices() {
        enqueue(30_000, i -> name(i));
        CompletableFuture<Optional<Ranking.Page>> page = rank();
        Answer small = start(enqueues(1, i -> "small"));
        while (small.reply == null) {
            assertThat(loop.step()).isTrue();
        }
        assertThat(page).as("the walk was not through").isNotDone();

        loop.tick();
        assertThat(page.join().orElseThrow().matched()).isEqualTo(30_001);
        assertThat(page.join().orElseThrow().rows())
                .extracting(row -> row.place().queue().name().toString())
                .containsExactly(name(0), name(1), name(2));
    }

    @Test
    void aPartitionThatIsClosedMeanwhileRanksNothing() {
        enqueue(30_000, i -> name(i));
        CompletableFuture<Optional<Ranking.Page>> begun = rank();
        partition.stop("crash");
        CompletableFuture<Optional<Ranking.Page>> late = rank();
        loop.tick();

        assertThat(begun).isCompletedWithValue(Optional.empty());
        assertThat(late).isCompletedWithValue(Optional.empty());
    }

    @Test
    void aWalkThatNobodyWaitsForEnds() {
        CompletableFuture<Optional<Integer>> found = new CompletableFuture<>();
        Endless scan = new Endless();
        partition.scan(_ -> scan, found);
        for (int turn = 0; turn < 10; turn++) {
            assertThat(loop.step()).isTrue();
        }
        int slices = scan.slices;
        found.cancel(false);
        loop.tick();

        assertThat(slices).isPositive();
        assertThat(scan.slices).as("after that").isEqualTo(slices);
    }

    private CompletableFuture<Optional<Ranking.Page>> rank() {
        CompletableFuture<Optional<Ranking.Page>> page = new CompletableFuture<>();
        Ranking.Question byName = new Ranking.Question(ALL, RankOrder.NAME, false, 3, Optional.empty());
        partition.scan(now -> new RankScan(byName, now), page);
        return page;
    }

    private static final class Endless implements QueueScan<Integer> {

        private int slices;

        @Override
        public Optional<Selector> selector() {
            return Optional.empty();
        }

        @Override
        public boolean scanSlice(EngineState engine) {
            slices++;
            return false;
        }

        @Override
        public Integer found() {
            return slices;
        }
    }

    @Test
    void manyQueuesAreDeletedInSlices() {
        enqueue(5_000, i -> name(i));
        Answer delete = start(new Command.Delete(pattern("q.*")));

        assertSmallOvertakes(delete);
        assertThat(((Reply.Deleted) delete.get()).queues()).hasSize(5_000).doesNotHaveDuplicates();
        assertThat(names()).containsExactly("small");
        restart();
        assertThat(names()).containsExactly("small");
    }

    @Test
    void manyNamedQueuesAreDeletedInSlices() {
        enqueue(5_000, i -> name(i));
        Answer delete = start(new Command.Delete(named(3_000)));

        assertSmallOvertakes(delete);
        assertThat(((Reply.Deleted) delete.get()).queues()).hasSize(3_000).doesNotHaveDuplicates();
        assertThat(names()).hasSize(2_001);
    }

    @Test
    void aDeleteThatIsCutShortMayHaveDeletedSome() {
        enqueue(5_000, i -> name(i));
        Answer delete = start(new Command.Delete(named(3_000)));
        partition.stop("crash");
        loop.tick();

        assertThat(Objects.requireNonNull(delete.failure).code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
    }

    @Test
    void aLargeLeaseGetsItsTasksInSlicesAndInOrder() {
        enqueue(10_000, i -> "q");
        Answer lease = start(lease("q", 9_000, 1 << 20));

        assertSmallOvertakes(lease);
        assertThat(lease.leased())
                .hasSize(9_000)
                .extracting(Reply.LeasedTask::pid)
                .doesNotHaveDuplicates()
                .isSorted();
        assertThat(finished(start(lease("q", 9_000, 1 << 20))).leased()).hasSize(1_000);
    }

    @Test
    void aLargeLeaseHoldsNoMoreBytesThanItMay() {
        enqueue(5_000, i -> "q");
        long one = finished(start(lease("q", 1, 1 << 20))).leased().getFirst().replyBytes();

        assertThat(finished(start(lease("q", 4_000, (int) (2_500 * one)))).leased())
                .hasSize(2_500);
    }

    @Test
    void aLargeLeaseTakesWhatIsAtHandAndDoesNotWaitForTheRest() {
        enqueue(10_000, i -> "q");
        loop.pass(5_000);
        restart();
        List<Reply.LeasedTask> first =
                finished(start(lease("q", 9_000, 1 << 20))).leased();
        List<Reply.LeasedTask> second =
                finished(start(lease("q", 9_000, 1 << 20))).leased();

        assertThat(first).isNotEmpty().hasSizeLessThan(9_000);
        assertThat(second).isNotEmpty();
        assertThat(second.getFirst().pid()).isGreaterThan(first.getLast().pid());
    }

    @Test
    void anUpdateOfManyUnknownTasksReadsThemInSlices() {
        enqueue(10_000, i -> "q");
        List<Reply.LeasedTask> tasks =
                finished(start(lease("q", 10_000, 1 << 20))).leased();
        loop.pass(5_000);
        restart();
        Answer update = start(new Update(
                GroupName.EMPTY,
                List.of(),
                tasks.stream()
                        .map(task -> new Dequeue(task.queue().name(), task.pid(), task.leaseId()))
                        .toList(),
                List.of(),
                List.of()));

        assertSmallOvertakes(update);
        assertThat(((Reply.Updated) update.get()).success()).isTrue();
        assertThat(names()).containsExactly("small");
    }

    /** Verifies that a large update, which is not sliced, delays its own partition but not the others on the loop. */
    @Test
    void aLargeUpdateIsDecidedBesideTheLoop() {
        loop.holdOffloaded();
        Answer large = start(enqueues(10_000, i -> "q"));
        Answer later = start(enqueues(1, i -> "small"));
        loop.tick();
        Answer query = start(new Command.ListQueues(ALL, 0, 0, 30_000, Optional.empty()));
        loop.tick();
        assertThat(large.reply == null && later.reply == null && query.reply == null)
                .as("nothing of the partition runs")
                .isTrue();

        loop.releaseOffloaded();
        loop.tick();
        assertThat(((Reply.Updated) large.get()).success()).isTrue();
        assertThat(((Reply.Updated) later.get()).success()).isTrue();
        assertThat(query.listed().queues()).hasSizeBetween(1, 2);
    }

    @Test
    void whoWaitsForALargeUpdateIsToldWhenItsPartitionStops() {
        loop.holdOffloaded();
        Answer large = start(enqueues(10_000, i -> "q"));
        loop.tick();
        Answer later = start(enqueues(1, i -> "small"));
        partition.stop("crash");
        loop.releaseOffloaded();
        loop.tick();

        assertThat(later.failure).isNotNull();
        assertThat(large.failure).isNotNull();
    }

    // ---------------------------------------------------------------- helpers

    /**
     * Asserts that a small update is answered within a few loop ticks and before the large request, which is answered
     * in the end.
     */
    private void assertSmallOvertakes(Answer large) {
        assertThat(large.reply == null).as("the large request is in one slice").isTrue();
        Answer small = start(enqueues(1, i -> "small"));
        int ticks = 0;
        while (small.reply == null) {
            assertThat(loop.step()).isTrue();
            ticks++;
        }
        assertThat(ticks)
                .as("turns of the loop before the small request was answered")
                .isLessThan(10);
        assertThat(large.reply == null).as("the large request was not through").isTrue();
        finished(large);
    }

    private Answer finished(Answer answer) {
        loop.tick();
        assertThat(answer.reply).isNotNull();
        return answer;
    }

    private Answer start(Command command) {
        Answer answer = new Answer();
        partition.submit(command, answer);
        return answer;
    }

    private void enqueue(int tasks, IntFunction<String> queue) {
        for (int from = 0; from < tasks; from += 10_000) {
            int first = from;
            finished(start(enqueues(Math.min(10_000, tasks - from), i -> queue.apply(first + i))));
        }
    }

    private static Update enqueues(int tasks, IntFunction<String> queue) {
        List<Enqueue> enqueues = IntStream.range(0, tasks)
                .mapToObj(i -> new Enqueue(
                        QueueName.of(queue.apply(i)),
                        Optional.of(Pid.of("%05d".formatted(i))),
                        new Payload(Bytes.EMPTY, Map.of()),
                        IfExists.COLLAPSE,
                        0))
                .toList();
        return new Update(GroupName.EMPTY, enqueues, List.of(), List.of(), List.of());
    }

    private static Lease lease(String queue, int tasks, int bytes) {
        return new Lease(
                Selector.of(QueueKey.of(queue)), tasks, bytes, 600_000, Optional.empty(), 0, 0, "worker", "here");
    }

    private static Selector named(int queues) {
        List<QueueName> names =
                IntStream.range(0, queues).mapToObj(i -> QueueName.of(name(i))).toList();
        return new Selector(Optional.of(GroupName.EMPTY), names, Optional.empty());
    }

    private static Selector pattern(String pattern) {
        return new Selector(Optional.of(GroupName.EMPTY), List.of(), Optional.of(NamePattern.compile(pattern)));
    }

    private List<String> names() {
        return finished(start(new Command.ListQueues(ALL, 0, 0, 30_000, Optional.empty()))).listed().queues().stream()
                .map(queue -> queue.queue().name().toString())
                .toList();
    }

    private static String name(int number) {
        return "q%05d".formatted(number);
    }

    private Partition open() {
        Partition opened = new Partition(
                0,
                OwnerCandidate.alone("test"),
                store,
                loop,
                PartitionSettings.DEFAULTS,
                NodeResources.of(
                        new MemoryBudget(1L << 30, 1L << 30, 1 << 20, Long.MAX_VALUE), PartitionSettings.DEFAULTS),
                new Random(1));
        var opening = opened.open();
        loop.tick();
        opening.join();
        return opened;
    }

    private void restart() {
        partition.stop("crash");
        partition = open();
    }

    private static final class Answer implements ReplySink {

        private @Nullable Reply reply;
        private @Nullable TaskMasterException failure;

        @Override
        public void reply(Reply answer) {
            assertThat(reply).isNull();
            reply = answer;
        }

        @Override
        public void fail(TaskMasterException error) {
            failure = error;
        }

        Reply get() {
            return Objects.requireNonNull(reply, "not answered");
        }

        Reply.Listed listed() {
            return (Reply.Listed) get();
        }

        List<Reply.LeasedTask> leased() {
            return ((Reply.Leased) get()).tasks();
        }
    }
}
