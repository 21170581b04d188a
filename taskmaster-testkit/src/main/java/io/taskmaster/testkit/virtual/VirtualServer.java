package io.taskmaster.testkit.virtual;

import io.taskmaster.command.Command;
import io.taskmaster.model.GroupName;
import io.taskmaster.proxy.route.ReplySink;
import io.taskmaster.proxy.rpc.EmbeddedService;
import io.taskmaster.server.partition.Node;
import io.taskmaster.server.partition.Partition;
import io.taskmaster.server.partition.budget.MemoryBudget;
import io.taskmaster.server.partition.context.NodeResources;
import io.taskmaster.server.partition.context.PartitionSettings;
import io.taskmaster.server.partition.log.ownership.OwnerCandidate;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.memory.MemoryStore;
import io.taskmaster.time.Clock;
import io.taskmaster.wire.Wire;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * A TaskMaster server without threads: the real service, engine, log and recovery, with one partition, a store in
 * memory, and virtual time.
 *
 * <p>A restart stops the partition and opens a new one on the same store, as after a crash. Connections survive it.
 * Single-threaded: owned by the test.
 */
public final class VirtualServer {

    private static final String NAME = "kit";
    private static final long MEMORY_BYTES = 256L << 20;
    private static final int MAX_QUEUES = 1_000_000;

    /** The bounds of a production server. */
    private static final EmbeddedService.Bounds BOUNDS =
            new EmbeddedService.Bounds(10_000, MEMORY_BYTES, 200, 256 << 10, 16 << 10, 64);

    private final VirtualTime time;
    private final RandomGenerator random;
    private final VirtualLoop loop;
    private final Store store = new MemoryStore();
    private final EmbeddedService embeddedService;
    private Partition partition;

    /** @param random draws the nonces of its epochs */
    public VirtualServer(VirtualTime time, RandomGenerator random) {
        this.time = time;
        this.random = random;
        this.loop = new VirtualLoop(time);
        this.partition = make();
        this.embeddedService = new EmbeddedService(new OnePartition(), BOUNDS, NAME, clock(), time::soon);
    }

    private Partition make() {
        PartitionSettings settings = PartitionSettings.DEFAULTS;
        MemoryBudget budget = new MemoryBudget(MEMORY_BYTES, MEMORY_BYTES, MEMORY_BYTES, MAX_QUEUES);
        return new Partition(
                0, OwnerCandidate.alone(NAME), store, loop, settings, NodeResources.of(budget, settings), random);
    }

    private Clock clock() {
        return new Clock() {
            @Override
            public long wallMillis() {
                return time.millis();
            }

            @Override
            public long nanos() {
                return time.nanoTime();
            }
        };
    }

    /**
     * Returns a connection for a client.
     *
     * @param networkDelayNanos supplies the time that the next message takes
     */
    public Wire wire(LongSupplier networkDelayNanos) {
        return new Wire(new VirtualChannel(time, embeddedService, networkDelayNanos));
    }

    /** Refuses new calls from now on, as a server that is asked to terminate does; clients retry. */
    public void refuse() {
        embeddedService.refuse();
    }

    /** Opens the partition. Complete when it serves. */
    public CompletableFuture<Void> open() {
        CompletableFuture<Void> opened = new CompletableFuture<>();
        loop.execute(() -> {
            CompletableFuture<?> _ = partition.open().whenComplete((_, failure) -> {
                if (failure == null) {
                    opened.complete(null);
                } else {
                    opened.completeExceptionally(failure);
                }
            });
        });
        return opened;
    }

    /** Crashes the partition and recovers it from its store. Complete when it serves again. */
    public CompletableFuture<Void> restart() {
        Partition dead = partition;
        loop.execute(() -> dead.stop("the server crashed"));
        partition = make();
        return open();
    }

    /** The node with the one partition, as the service sees it. */
    private final class OnePartition implements Node {

        @Override
        public int partitions() {
            return 1;
        }

        @Override
        public void submit(GroupName group, Command command, ReplySink sink) {
            submit(0, command, sink);
        }

        @Override
        public void submit(int number, Command command, ReplySink sink) {
            loop.execute(() -> partition.submit(command, sink));
        }

        @Override
        public void close() {
            loop.execute(() -> partition.stop("closed"));
        }

        @Override
        public void abandon() {
            close();
        }
    }
}
