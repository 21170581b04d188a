package io.taskmaster.server.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.taskmaster.server.partition.budget.MemoryBudget;
import io.taskmaster.server.partition.claim.Claim;
import io.taskmaster.server.partition.claim.UnsureStore;
import io.taskmaster.server.partition.context.PartitionSettings;
import io.taskmaster.server.partition.log.ownership.DeposedException;
import io.taskmaster.server.partition.log.ownership.OwnerCandidate;
import io.taskmaster.server.partition.loop.TurnedLoop;
import io.taskmaster.server.store.StoreInUseException;
import io.taskmaster.server.store.StoreStuckException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class LostNodeTest {

    private final UnsureStore store = new UnsureStore();
    private final TurnedLoop loop = new TurnedLoop();
    private final Held claim = new Held();
    private final PartitionNode node = new PartitionNode(
            new ClaimedStore(store, claim, 1),
            new LoopedNode.Given(List.of(loop)),
            PartitionSettings.DEFAULTS,
            new MemoryBudget(1 << 20, 1 << 20, 1 << 20, 1_000),
            new CompositeMeterRegistry(),
            new Random(1),
            Duration.ZERO);

    @Test
    void aNodeThatIsDeposedWhileItOpensSaysSoInsteadOfWaitingForEver() {
        store.cutOff(false);
        CompletableFuture<Void> opened = node.open();
        loop.pass(30_000);
        assertThat(opened).isNotDone();
        claim.lost.complete(new DeposedException("the data is held by node b"));
        loop.tick();

        assertThat(opened).isCompletedExceptionally();
        assertThatThrownBy(opened::join)
                .cause()
                .isInstanceOf(StoreInUseException.class)
                .hasMessageContaining("node b");
        assertThat(node.lost()).isCompleted();
    }

    @Test
    void aStoreThatIsStuckWhileANodeOpensIsToldAsSuch() {
        store.cutOff(false);
        CompletableFuture<Void> opened = node.open();
        loop.pass(30_000);
        claim.lost.complete(new StoreStuckException("not closed after PT30S", new IllegalStateException()));
        loop.tick();

        assertThatThrownBy(opened::join).cause().isInstanceOf(StoreStuckException.class);
    }

    /** A claim that is lost when the test says so. */
    private static final class Held implements Claim {

        final CompletableFuture<Throwable> lost = new CompletableFuture<>();

        @Override
        public OwnerCandidate owner() {
            return OwnerCandidate.alone("a");
        }

        @Override
        public CompletableFuture<Throwable> lost() {
            return lost;
        }

        @Override
        public CompletableFuture<Void> release() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void abandon() {}
    }
}
