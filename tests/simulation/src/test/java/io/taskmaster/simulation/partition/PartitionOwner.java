package io.taskmaster.simulation.partition;

import io.taskmaster.command.Command;
import io.taskmaster.proxy.route.ReplySink;
import io.taskmaster.server.partition.Partition;
import io.taskmaster.server.partition.budget.MemoryBudget;
import io.taskmaster.server.partition.context.NodeResources;
import io.taskmaster.server.partition.context.PartitionSettings;
import io.taskmaster.server.partition.log.ownership.DeposedException;
import io.taskmaster.server.partition.log.ownership.OwnerCandidate;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.simulation.store.Tampering;
import io.taskmaster.simulation.world.SimulatedLoop;
import io.taskmaster.simulation.world.Violation;
import io.taskmaster.simulation.world.World;
import java.util.concurrent.CompletionException;
import java.util.random.RandomGenerator;

/** The real partition in a simulated process. Single-threaded: owned by the simulation. */
final class PartitionOwner implements Owner {

    private final World world;
    private final SimulatedLoop loop;
    private final Partition partition;
    private boolean stopped;

    private PartitionOwner(World world, SimulatedLoop loop, Partition partition) {
        this.world = world;
        this.loop = loop;
        this.partition = partition;
    }

    /**
     * Returns a factory of partitions so small that they evict, refill, park requests, span rows and flush all the
     * time. All owners of a run have the same settings.
     */
    static Factory factory(World world, PartitionSettings settings) {
        long windowBytes = world.logUniform(500, 50_000);
        long dirtyBytes = world.logUniform(1_000, 100_000);
        long dedupBytes = world.logUniform(500, 100_000);
        return (loop, store, random, name) -> open(
                world,
                loop,
                store,
                random,
                name,
                settings,
                new MemoryBudget(windowBytes, dirtyBytes, dedupBytes, Long.MAX_VALUE));
    }

    private static PartitionOwner open(
            World world,
            SimulatedLoop loop,
            Store store,
            RandomGenerator random,
            String name,
            PartitionSettings settings,
            MemoryBudget budget) {
        Partition partition = new Partition(
                Tampering.PARTITION,
                OwnerCandidate.alone(name),
                store.session(),
                loop,
                settings,
                NodeResources.of(budget, settings),
                random);
        PartitionOwner owner = new PartitionOwner(world, loop, partition);
        loop.execute(() -> {
            var _ = partition.ended().thenAccept(owner::ended);
            var _ = partition.open().whenComplete((opened, failure) -> {
                if (failure != null) {
                    owner.ended(failure);
                }
            });
        });
        return owner;
    }

    @Override
    public void submit(Command command, ReplySink sink) {
        loop.execute(() -> partition.submit(command, sink));
    }

    @Override
    public boolean isServing() {
        return partition.isServing();
    }

    @Override
    public boolean isStopped() {
        return stopped;
    }

    @Override
    public void close() {
        loop.execute(() -> {
            var _ = partition.drain().thenRun(() -> stopped = true);
        });
    }

    /**
     * Handles the end of an epoch. To lose the partition and not to know an outcome are normal; any other reason is a
     * broken invariant.
     */
    private void ended(Throwable reason) {
        stopped = true;
        Throwable cause = reason instanceof CompletionException wrapped && wrapped.getCause() != null
                ? wrapped.getCause()
                : reason;
        world.log(() -> "a partition ended: " + cause);
        if (!(cause instanceof DeposedException) && !(cause instanceof StoreException)) {
            world.broken(new Violation("a partition ended with " + cause, cause));
        }
    }
}
