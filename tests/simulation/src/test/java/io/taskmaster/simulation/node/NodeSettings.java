package io.taskmaster.simulation.node;

import io.taskmaster.proxy.rpc.EmbeddedService;
import io.taskmaster.server.partition.budget.MemoryBudget;
import io.taskmaster.server.partition.context.PartitionSettings;
import io.taskmaster.simulation.world.TinySettings;
import io.taskmaster.simulation.world.World;

/**
 * The settings of the nodes of a run: the same for all, and so small that rare events happen all the time. Immutable.
 */
record NodeSettings(
        int partitions,
        int loops,
        PartitionSettings partition,
        long windowBytes,
        long dirtyBytes,
        long dedupBytes,
        long maxQueues,
        EmbeddedService.Bounds bounds) {

    static NodeSettings draw(World world) {
        return new NodeSettings(
                1 + world.random.nextInt(world.chance(.4) ? 2 : 8),
                1 + world.random.nextInt(2),
                TinySettings.draw(world),
                world.logUniform(1_000, 100_000),
                world.logUniform(2_000, 200_000),
                world.logUniform(1_000, 100_000),
                world.chance(.2) ? 4 + world.random.nextInt(12) : Long.MAX_VALUE,
                new EmbeddedService.Bounds(
                        world.chance(.2) ? 4 + world.random.nextInt(6) : 10_000,
                        world.chance(.3) ? world.logUniform(800, 20_000) : 1L << 30,
                        world.random.nextInt(4),
                        (int) world.logUniform(50, 5_000),
                        (int) world.logUniform(20, 2_000),
                        1 + world.random.nextInt(3)));
    }

    MemoryBudget budget() {
        return new MemoryBudget(windowBytes, dirtyBytes, dedupBytes, maxQueues);
    }
}
