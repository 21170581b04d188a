package io.taskmaster.server.partition.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Enqueue;
import io.taskmaster.command.Command.IfExists;
import io.taskmaster.command.Command.Payload;
import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.Command.Update;
import io.taskmaster.command.Reply;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.proxy.route.ReplySink;
import io.taskmaster.server.partition.Partition;
import io.taskmaster.server.partition.budget.MemoryBudget;
import io.taskmaster.server.partition.context.NodeResources;
import io.taskmaster.server.partition.context.PartitionSettings;
import io.taskmaster.server.partition.log.ownership.OwnerCandidate;
import io.taskmaster.server.partition.loop.TurnedLoop;
import io.taskmaster.server.store.RowRange;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.Table;
import io.taskmaster.server.store.memory.MemoryStore;
import io.taskmaster.tests.Profile;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of time that cannot pass for now: memory is full, or the partition drains. */
final class TimeIndexLoaderTest {

    private static final QueueKey QUEUE = QueueKey.of("", "q");
    private static final long TIMEOUT_MILLIS = 1 << 30;
    private static final long DELAY_MILLIS = 10_000;
    private static final long TICK_MILLIS = 10;

    /** The number of tasks that are delayed to one instant: in memory together they would take 400 bytes each. */
    private static final int MANY = Profile.isSlow() ? 200_000 : 20_000;

    private static final int UPDATE = 1_000;

    private static final Command LIST = new Command.ListQueues(Selector.of(QUEUE), 0, 0, 1, Optional.empty());
    private static final Command LEASE =
            new Command.Lease(Selector.of(QUEUE), 1, 1 << 20, 1_000, Optional.empty(), 0, 0, "w", "here");

    private final TurnedLoop loop = new TurnedLoop();

    private final MemoryBudget ample = new MemoryBudget(1 << 20, 1 << 20, 1 << 20, Long.MAX_VALUE);

    /** So little dirty memory that one task fills it. */
    private final MemoryBudget tiny = new MemoryBudget(1 << 20, 1, 1 << 20, Long.MAX_VALUE);

    /** The store operations in flight. */
    private final ArrayDeque<Runnable> pendingReads = new ArrayDeque<>();

    private final Store store = failingWhileDamaged(new MemoryStore(pendingReads::add));

    /** While set, scans of the time index fail. */
    private boolean isDamaged;

    private int failedScans;

    private final List<Reply> replies = new ArrayList<>();

    @Test
    void timePassesOnceAnotherPartitionGivesMemoryBackThoughNobodyAsks() {
        Partition full = open(0, tiny);
        flow();
        enqueue(full, 0);
        flow();
        replies.clear();

        Partition waiting = open(1, tiny);
        submit(waiting, LIST);
        flow();
        assertThat(replies).isEmpty();
        pass(2 * PartitionSettings.DEFAULTS.flush().intervalMillis());

        assertThat(replies).containsExactly(new Reply.Listed(List.of(), false));
    }

    @Test
    void timePassesThoughMemoryBecameFullWhileItRead() {
        Partition full = open(0, tiny);
        Partition waiting = openWithADelayThatIsOver(1, tiny);
        submit(waiting, LIST);
        Runnable read = pendingReads.remove();
        assertThat(pendingReads).isEmpty();
        enqueue(full, 0);
        flow();
        replies.clear();

        read.run();
        flow();
        assertThat(replies).isEmpty();
        pass(2 * PartitionSettings.DEFAULTS.flush().intervalMillis());

        assertThat(replies).containsExactly(new Reply.Listed(List.of(new Reply.Summary(QUEUE, 1, 0, 0)), false));
    }

    @Test
    void whoWaitsForTimeToPassGetsHisAnswerWhileThePartitionDrains() {
        Partition partition = openWithADelayThatIsOver(0, ample);
        submit(partition, LEASE);
        var drained = partition.drain();
        pass(DELAY_MILLIS);

        assertThat(replies)
                .singleElement()
                .isInstanceOfSatisfying(
                        Reply.Leased.class, leased -> assertThat(leased.tasks()).hasSize(1));
        assertThat(drained).isCompleted();
    }

    @Test
    void aWaitForTimeIsNotCutShortByTheTimerOfTheOneBefore() {
        Partition partition = open(0, ample, 1_000);
        long startMillis = loop.nowMillis();
        enqueue(partition, List.of("a"), startMillis + DELAY_MILLIS);
        enqueue(partition, List.of("b"), startMillis + DELAY_MILLIS + 500);
        pass(DELAY_MILLIS / 2);
        loop.jump(DELAY_MILLIS / 2);
        submit(partition, LIST);
        flow();
        loop.jump(500);
        replies.clear();

        submit(partition, LIST);
        loop.pass(999);
        assertThat(replies).isEmpty();

        loop.pass(1);
        assertThat(replies).containsExactly(new Reply.Listed(List.of(new Reply.Summary(QUEUE, 1, 0, 1)), false));
    }

    @Test
    void theTasksOfOneInstantAreNeverInMemoryTogether() {
        MemoryBudget small = new MemoryBudget(1 << 20, 1 << 20, 1 << 20, Long.MAX_VALUE);
        Partition partition = open(0, small);
        long instantMillis = loop.nowMillis() + DELAY_MILLIS + MANY;
        for (int i = 0; i < MANY; i += UPDATE) {
            enqueue(
                    partition,
                    IntStream.range(i, i + UPDATE).mapToObj("%07d"::formatted).toList(),
                    instantMillis);
            while (replies.isEmpty() || small.use().dirtyBytes() > 0) {
                pass(TICK_MILLIS);
            }
            replies.clear();
        }

        loop.jump(instantMillis - loop.nowMillis());
        submit(partition, LIST);
        long mostBytes = 0;
        while (replies.isEmpty()) {
            loop.pass(TICK_MILLIS);
            while (!pendingReads.isEmpty()) {
                pendingReads.remove().run();
                loop.tick();
                mostBytes = Math.max(mostBytes, small.windowsInUse());
            }
        }

        assertThat(replies).containsExactly(new Reply.Listed(List.of(new Reply.Summary(QUEUE, MANY, 0, 0)), false));
        assertThat(mostBytes).as("bytes in memory").isBetween(1L << 18, 4L << 20);
    }

    @Test
    void aTimeIndexThatCannotBeReadIsReadAgainAfterARestAndNotAtFullSpeed() {
        isDamaged = true;
        Partition partition = open(0, ample);
        long retryDelayMillis = PartitionSettings.DEFAULTS.retryDelayMillis();
        pass(10 * retryDelayMillis);

        assertThat(failedScans).isBetween(5, 11);

        isDamaged = false;
        pass(2 * retryDelayMillis);
        submit(partition, LIST);
        flow();
        assertThat(replies).containsExactly(new Reply.Listed(List.of(), false));
    }

    private Store failingWhileDamaged(Store delegate) {
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (_, method, arguments) -> {
                    if (isDamaged
                            && method.getName().equals("scan")
                            && ((RowRange) arguments[0]).table() == Table.DELAYED) {
                        failedScans++;
                        return CompletableFuture.failedFuture(
                                new StoreException(StoreException.Outcome.CORRUPT, "damaged", null));
                    }
                    return method.invoke(delegate, arguments);
                });
    }

    /** Opens a partition with a delayed task that is due; the task and its time index are in the store only. */
    private Partition openWithADelayThatIsOver(int id, MemoryBudget budget) {
        Partition before = open(id, budget);
        enqueue(before, loop.nowMillis() + DELAY_MILLIS);
        var settled = before.drain();
        pass(DELAY_MILLIS / 2);
        settled.join();
        before.stop("over");
        replies.clear();
        loop.jump(DELAY_MILLIS);
        return open(id, budget);
    }

    private Partition open(int id, MemoryBudget budget) {
        return open(id, budget, TIMEOUT_MILLIS);
    }

    private Partition open(int id, MemoryBudget budget, long catchUpTimeoutMillis) {
        PartitionSettings defaults = PartitionSettings.DEFAULTS;
        PartitionSettings settings = new PartitionSettings(
                defaults.engine(),
                defaults.log(),
                defaults.flush(),
                defaults.refillMaxTasks(),
                defaults.refillMaxBytes(),
                defaults.indexRows(),
                defaults.activationBytes(),
                catchUpTimeoutMillis,
                defaults.admissionMillis(),
                defaults.logWaitMillis(),
                defaults.largeElements(),
                defaults.retryDelayMillis());
        Partition partition = new Partition(
                id,
                OwnerCandidate.alone("test"),
                store,
                loop,
                settings,
                NodeResources.of(budget, settings),
                new Random(id));
        var opening = partition.open();
        loop.tick();
        while (!opening.isDone()) {
            pendingReads.remove().run();
            loop.tick();
        }
        opening.join();
        return partition;
    }

    private void enqueue(Partition partition, long notBeforeMillis) {
        enqueue(partition, List.of("a"), notBeforeMillis);
    }

    private void enqueue(Partition partition, List<String> pids, long notBeforeMillis) {
        List<Enqueue> enqueues = pids.stream()
                .map(pid -> new Enqueue(
                        QUEUE.name(),
                        Optional.of(Pid.of(pid)),
                        new Payload(Bytes.of("data"), Map.of()),
                        IfExists.COLLAPSE,
                        notBeforeMillis))
                .toList();
        submit(partition, new Update(GroupName.EMPTY, enqueues, List.of(), List.of(), List.of()));
    }

    private void submit(Partition partition, Command command) {
        partition.submit(command, new ReplySink() {
            @Override
            public void reply(Reply reply) {
                replies.add(reply);
            }

            @Override
            public void fail(TaskMasterException error) {
                throw new AssertionError(error);
            }
        });
        loop.tick();
    }

    /** Runs the store and the loop until neither has anything to do. */
    private void flow() {
        loop.tick();
        while (!pendingReads.isEmpty()) {
            pendingReads.remove().run();
            loop.tick();
        }
    }

    private void pass(long millis) {
        for (long passed = 0; passed < millis; passed += TICK_MILLIS) {
            loop.pass(TICK_MILLIS);
            flow();
        }
    }
}
