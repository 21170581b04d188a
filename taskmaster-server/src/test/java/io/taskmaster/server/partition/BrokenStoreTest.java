package io.taskmaster.server.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.taskmaster.command.Command;
import io.taskmaster.command.Reply;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.proxy.route.ReplySink;
import io.taskmaster.server.partition.budget.MemoryBudget;
import io.taskmaster.server.partition.claim.Claim;
import io.taskmaster.server.partition.context.PartitionSettings;
import io.taskmaster.server.partition.loop.TurnedLoop;
import io.taskmaster.server.store.BreakableStore;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.RowRange;
import io.taskmaster.server.store.ScanLimit;
import io.taskmaster.server.store.ScanResult;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import io.taskmaster.server.store.StoreStuckException;
import io.taskmaster.server.store.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests of a node whose store breaks, and is reopened or not. */
final class BrokenStoreTest {

    private static final int PARTITIONS = 2;

    private final Handles store = new Handles();
    private final TurnedLoop loop = new TurnedLoop();
    private final PartitionNode node = new PartitionNode(
            new ClaimedStore(store, Claim.alone("test"), PARTITIONS),
            new LoopedNode.Given(List.of(loop)),
            PartitionSettings.DEFAULTS,
            new MemoryBudget(1 << 20, 1 << 20, 1 << 20, 1_000),
            new CompositeMeterRegistry(),
            new Random(1),
            Duration.ZERO);

    private int changes;

    BrokenStoreTest() {
        node.followHealth(() -> changes++);
        CompletableFuture<Void> opened = node.open();
        loop.pass(1_000);
        opened.join();
    }

    @Test
    void partitionsThatNobodyAsksEndWithTheStoreAndHealthSaysSoAndWhy() {
        assertThat(node.health().isServing()).isTrue();
        assertThat(node.health().reason()).isEmpty();
        changes = 0;

        store.current.breakDown();
        loop.tick();

        assertThat(node.health().isServing()).isFalse();
        assertThat(node.health().partitions()).containsExactly(Map.entry("stopped", PARTITIONS));
        assertThat(node.health().reason()).isEqualTo("0 of 2 partitions are serving");
        assertThat(changes).isEqualTo(PARTITIONS);
    }

    @Test
    void theyServeAgainOnceThereIsAnotherHandle() {
        store.current.breakDown();
        loop.pass(60_000);
        assertThat(node.health().isServing()).isFalse();

        store.current = new BreakableStore(store.memory);
        loop.pass(5_000);

        assertThat(node.health().isServing()).isTrue();
        assertThat(node.lost()).isNotDone();
    }

    @Test
    void aStoreThatIsLostIsTheEndOfTheNode() {
        var reason = new StoreStuckException(
                "the store failed, and could not be closed within PT30S", new RuntimeException());
        store.lost.complete(reason);
        loop.tick();

        assertThat(node.lost()).isCompletedWithValue(reason);
        assertThat(node.health().isServing()).isFalse();
    }

    @Test
    void whateverBreaksOnTheWayToADecisionEndsTheEpochAndIsTold() {
        var update = new Command.Update(GroupName.EMPTY, List.of(), List.of(), List.of(), List.of());
        var errors = new ArrayList<TaskMasterException>();
        node.submit(0, update, new ReplySink() {
            @Override
            public boolean isBulk() {
                throw new NoClassDefFoundError("could not be loaded when there were no file descriptors");
            }

            @Override
            public void reply(Reply reply) {
                throw new AssertionError(reply);
            }

            @Override
            public void fail(TaskMasterException error) {
                errors.add(error);
            }
        });
        loop.tick();

        assertThat(errors).singleElement().satisfies(error -> {
            assertThat(error.code()).isEqualTo(ErrorCode.PARTITION_OPENING);
            assertThat(error).hasMessageContaining("could not be loaded");
        });
        loop.pass(5_000);
        assertThat(node.health().isServing()).isTrue();
    }

    @Test
    void aLookThatBreaksFailsAndEndsNothing() {
        CompletableFuture<Optional<String>> scan = node.scan(0, _ -> {
            throw new IllegalStateException("broken");
        });
        loop.tick();

        assertThat(scan).isCompletedExceptionally();
        assertThat(node.health().isServing()).isTrue();
    }

    /** A store whose handle a test replaces. */
    private static final class Handles implements Store {

        final MemoryStore memory = new MemoryStore();
        final CompletableFuture<RuntimeException> lost = new CompletableFuture<>();
        BreakableStore current = new BreakableStore(memory);

        @Override
        public Store session() {
            return current;
        }

        @Override
        public CompletableFuture<RuntimeException> broken() {
            return lost;
        }

        @Override
        public CompletableFuture<Void> write(List<CellWrite> writes) {
            return outsideASession();
        }

        @Override
        public CompletableFuture<Boolean> putIfAbsent(CellKey key, Bytes value) {
            return outsideASession();
        }

        @Override
        public CompletableFuture<Boolean> compareAndSet(CellKey key, Optional<Bytes> expected, Bytes value) {
            return outsideASession();
        }

        @Override
        public CompletableFuture<List<Optional<Cell>>> read(List<CellKey> keys) {
            return outsideASession();
        }

        @Override
        public CompletableFuture<ScanResult> scan(RowRange range, ScanLimit limit) {
            return outsideASession();
        }

        @Override
        public CompletableFuture<Void> deleteRange(RowRange range) {
            return outsideASession();
        }

        private static <T> CompletableFuture<T> outsideASession() {
            return CompletableFuture.failedFuture(new StoreException(Outcome.CORRUPT, "not through a session", null));
        }

        @Override
        public void close() {
            memory.close();
        }
    }
}
