package io.taskmaster.simulation.world;

import io.taskmaster.server.engine.state.EngineSettings;
import io.taskmaster.server.partition.context.FlushSettings;
import io.taskmaster.server.partition.context.PartitionSettings;
import io.taskmaster.server.partition.log.row.LogSettings;

/** Settings so small that partitions evict, refill, park requests, span rows and flush all the time. Stateless. */
public final class TinySettings {

    /** An interval that never elapses: behaviour that depends on the clock alone is tested elsewhere. */
    public static final long FOR_EVER = 1L << 40;

    private TinySettings() {}

    public static PartitionSettings draw(World world) {
        LogSettings log = new LogSettings(
                (int) world.logUniform(60, 4_000),
                1 + world.random.nextInt(4),
                1 + world.random.nextInt(4),
                world.logUniform(100, 10_000),
                1 + world.random.nextInt(4));
        int lowWaterTasks = 1 + world.random.nextInt(4);
        return new PartitionSettings(
                new EngineSettings(
                        lowWaterTasks,
                        world.random.nextInt(4),
                        world.chance(.3) ? world.logUniform(20, 2_000) : FOR_EVER),
                log,
                new FlushSettings(
                        world.logUniform(20, 300),
                        world.logUniform(500, 50_000),
                        world.logUniform(100, 10_000),
                        (int) world.logUniform(50, 5_000),
                        1 + world.random.nextInt(4)),
                lowWaterTasks + world.random.nextInt(8),
                world.logUniform(100, 10_000),
                1 + world.random.nextInt(4),
                (int) world.logUniform(50, 5_000),
                FOR_EVER,
                world.logUniform(10, 300),
                world.logUniform(1, 100),
                world.random.nextInt(4),
                20);
    }
}
