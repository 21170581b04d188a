package io.taskmaster.server.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.taskmaster.command.Command.Selector;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.GroupName;
import io.taskmaster.proxy.route.ScatterGather;
import io.taskmaster.server.engine.index.EngineState;
import io.taskmaster.server.engine.rank.QueueScan;
import io.taskmaster.server.partition.budget.MemoryBudget;
import io.taskmaster.server.partition.claim.Claim;
import io.taskmaster.server.partition.context.PartitionSettings;
import io.taskmaster.server.store.memory.MemoryStore;
import io.taskmaster.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of read-only operations on partitions that are cancelled, or never answered. */
final class LooksTest {

    private final AtomicInteger slices = new AtomicInteger();
    private final PartitionNode node = new PartitionNode(
            new ClaimedStore(new MemoryStore(), Claim.alone("test"), 2),
            1,
            PartitionSettings.DEFAULTS,
            new MemoryBudget(1 << 20, 1 << 20, 1 << 20, 1_000),
            new CompositeMeterRegistry(),
            Clock.system(),
            Duration.ofSeconds(10));

    LooksTest() {
        node.open().join();
    }

    @AfterEach
    void close() {
        node.close();
    }

    @Test
    void aSurveyThatFailsEndsTheWalksItWasMadeOf() {
        CompletableFuture<Optional<Integer>> scan = node.scan(0, _ -> new Endless());
        CompletableFuture<Optional<Integer>> broken = new CompletableFuture<>();
        await().until(() -> slices.get() > 0);

        CompletableFuture<List<Optional<Integer>>> survey = ScatterGather.of(List.of(scan, broken));
        broken.completeExceptionally(new TaskMasterException(ErrorCode.SHUTTING_DOWN, "broken"));
        assertThatThrownBy(survey::join).isInstanceOf(CompletionException.class);

        assertThat(scan).isCancelled();
        int seen = slicesOnceTheLoopHasTurned();
        assertThat(slicesOnceTheLoopHasTurned()).isEqualTo(seen);
    }

    @Test
    void aStuckPartitionIsWaitedForUntilTheTimeout() {
        assertThatThrownBy(
                        () -> ScatterGather.of(node.scan(0, _ -> new Endless())).join())
                .cause()
                .isInstanceOfSatisfying(
                        TaskMasterException.class,
                        late -> assertThat(late.code()).isEqualTo(ErrorCode.PARTITION_OPENING));
    }

    @Test
    void whatIsUnderWayWhenTheNodeEndsFailsAtOnceAndWhatComesLater() {
        CompletableFuture<Optional<Integer>> scan = node.scan(1, _ -> new Endless());
        await().until(() -> slices.get() > 0);
        node.abandon();

        assertShutDown(scan);
        assertShutDown(node.scan(0, _ -> new Endless()));
        assertShutDown(node.flow(1));
        assertShutDown(node.uncleared(GroupName.EMPTY, List.of()));
    }

    private static void assertShutDown(CompletableFuture<?> query) {
        assertThat(query).isDone();
        assertThatThrownBy(query::join)
                .cause()
                .isInstanceOfSatisfying(
                        TaskMasterException.class, end -> assertThat(end.code()).isEqualTo(ErrorCode.SHUTTING_DOWN));
    }

    /**
     * Returns the number of slices of the walk after a loop tick: the partitions share a loop, so their answers come
     * after a slice that was due.
     */
    private int slicesOnceTheLoopHasTurned() {
        node.flow(0).join();
        node.flow(1).join();
        return slices.get();
    }

    private final class Endless implements QueueScan<Integer> {

        @Override
        public Optional<Selector> selector() {
            return Optional.empty();
        }

        @Override
        public boolean scanSlice(EngineState engine) {
            slices.incrementAndGet();
            return false;
        }

        @Override
        public Integer found() {
            return 0;
        }
    }
}
