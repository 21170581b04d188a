package io.taskmaster.testkit.virtual;

import io.taskmaster.model.GroupName;
import io.taskmaster.server.engine.Command;
import io.taskmaster.server.partition.Clock;
import io.taskmaster.server.partition.Commons;
import io.taskmaster.server.partition.MemoryBudget;
import io.taskmaster.server.partition.Node;
import io.taskmaster.server.partition.Partition;
import io.taskmaster.server.partition.PartitionSettings;
import io.taskmaster.server.partition.log.Contender;
import io.taskmaster.server.rpc.ServiceFace;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.memory.MemoryStore;
import io.taskmaster.wire.Wire;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * A TaskMaster without threads: the real service on the real engine, log and recovery, with one partition, a store in memory, and virtual time.
 * Single-threaded: owned by the test.
 */
public final class VirtualServer {

    private static final String NAME = "kit";
    private static final long MEMORY_BYTES = 256L << 20;
    private static final int MAX_QUEUES = 1_000_000;

    /** As a server's. */
    private static final ServiceFace.Bounds BOUNDS =
            new ServiceFace.Bounds(10_000, MEMORY_BYTES, 200, 256 << 10, 16 << 10, 64);

    private final VirtualTime time;
    private final RandomGenerator random;
    private final VirtualLoop loop;
    private final Store store = new MemoryStore();
    private final ServiceFace face;
    private Partition partition;

    /**
     * @param random draws the nonces of its epochs
     */
    public VirtualServer(VirtualTime time, RandomGenerator random) {
        this.time = time;
        this.random = random;
        this.loop = new VirtualLoop(time);
        this.partition = make();
        this.face = new ServiceFace(new OnePartition(), BOUNDS, NAME, clock(), time::soon);
    }

    private Partition make() {
        PartitionSettings settings = PartitionSettings.DEFAULTS;
        MemoryBudget budget = new MemoryBudget(MEMORY_BYTES, MEMORY_BYTES, MEMORY_BYTES, MAX_QUEUES);
        return new Partition(0, Contender.alone(NAME), store, loop, settings, Commons.of(budget, settings), random);
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
     * A connection to it, for a client.
     *
     * @param wayNanos how long the next message is under way
     */
    public Wire wire(LongSupplier wayNanos) {
        return new Wire(new VirtualChannel(time, face, wayNanos));
    }

    /** Refuses what is new from now on, as when its process is told to end: clients try again and again. */
    public void refuse() {
        face.refuse();
    }

    /** Complete when it serves. */
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

    /** Dies, and comes back on what it had stored. Complete when it serves again. */
    public CompletableFuture<Void> restart() {
        Partition dead = partition;
        loop.execute(() -> dead.stop("the server crashed"));
        partition = make();
        return open();
    }

    /** The partition, as the service sees it. */
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
