package io.taskmaster.server.partition;

import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.taskmaster.server.engine.state.PartitionStateInvariants;
import io.taskmaster.server.partition.budget.MemoryBudget;
import io.taskmaster.server.partition.claim.Claim;
import io.taskmaster.server.partition.context.PartitionSettings;
import io.taskmaster.server.partition.loop.Loops;
import io.taskmaster.server.partition.loop.PartitionLoop;
import io.taskmaster.server.store.Store;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A real node on the loops of a simulator, with access to its partitions. Single-threaded. */
public final class LoopedNode {

    private static final Duration NEVER_AWAITED = Duration.ZERO;

    private final PartitionNode node;

    /** The partitions by number, each with the epoch whose end is already observed. */
    private final List<@Nullable Partition> known = new ArrayList<>();

    private final Consumer<Throwable> ended;

    /**
     * Creates a node that is not open.
     *
     * @param ended receives the reason each time an epoch of a partition ends, unless it was ended on request
     */
    public LoopedNode(
            Store store,
            String owner,
            int partitions,
            List<? extends PartitionLoop> loops,
            PartitionSettings settings,
            MemoryBudget budget,
            RandomGenerator random,
            Consumer<Throwable> ended) {
        this.node = new PartitionNode(
                new ClaimedStore(store, Claim.alone(owner), partitions),
                new Given(loops),
                settings,
                budget,
                new CompositeMeterRegistry(),
                random,
                NEVER_AWAITED);
        this.ended = ended;
        for (int i = 0; i < partitions; i++) {
            known.add(null);
        }
        meet();
    }

    /** The loops of a test, which runs them. */
    record Given(List<? extends PartitionLoop> loops) implements Loops {

        @Override
        public int count() {
            return loops.size();
        }

        @Override
        public PartitionLoop loop(int number) {
            return loops.get(number);
        }

        @Override
        public void start() {}

        @Override
        public void close() {}
    }

    public Node node() {
        return node;
    }

    /** Opens all partitions. Complete when all serve. */
    public CompletableFuture<Void> open() {
        return node.open();
    }

    /**
     * Drains the node as on a shutdown of the process. Complete when all requests are answered and all state is
     * written.
     */
    public CompletableFuture<Void> drain() {
        return node.drain();
    }

    public boolean isServing() {
        meet();
        return known.stream().allMatch(partition -> partition != null && partition.isServing());
    }

    /** Fails unless the in-memory state of every partition is consistent. */
    public void check() {
        meet();
        for (Partition partition : known) {
            if (partition != null) {
                partition.engine().ifPresent(engine -> PartitionStateInvariants.checkMemory(engine.partition()));
            }
        }
    }

    /** Observes the ends of epochs that have begun since the last call. */
    private void meet() {
        for (int i = 0; i < known.size(); i++) {
            Partition partition = node.partition(i);
            if (!partition.equals(known.get(i))) {
                known.set(i, partition);
                var _ = partition.ended().thenAccept(ended);
            }
        }
    }
}
