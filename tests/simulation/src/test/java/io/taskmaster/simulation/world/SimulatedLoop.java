package io.taskmaster.simulation.world;

import io.taskmaster.server.partition.loop.PartitionLoop;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * The loop of one process, in virtual time: it runs its tasks in order, each after a short delay. Single-threaded:
 * owned by the simulation.
 */
public final class SimulatedLoop implements PartitionLoop {

    private static final long MAX_TASK_MICROS = 40;
    private static final long MAX_OFFLOAD_MICROS = 2_000;

    private final World world;
    private final OwnerProcess process;
    private final Queue<Runnable> tasks = new ArrayDeque<>();

    public SimulatedLoop(World world, OwnerProcess process) {
        this.world = world;
        this.process = process;
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        process.in(world.random.nextLong(MAX_TASK_MICROS), this::runNext);
    }

    @Override
    public long nowMillis() {
        return process.clockMillis();
    }

    /** Runs the task once the owner's clock shows that this time has passed. */
    @Override
    public void schedule(long delayMillis, Runnable task) {
        process.in(world.microsUntilClockAdvancesBy(delayMillis), () -> execute(task));
    }

    /**
     * Runs the task after a random delay. In the simulation, what matters about offloaded work is not its thread but
     * the tasks that run before it.
     */
    @Override
    public void offload(Runnable task) {
        process.in(world.random.nextLong(MAX_OFFLOAD_MICROS), task);
    }

    /** Runs the work after a random delay, as {@link #offload}. */
    @Override
    public void compute(Runnable work) {
        process.in(world.random.nextLong(MAX_OFFLOAD_MICROS), work);
    }

    private void runNext() {
        Runnable next = tasks.poll();
        if (next != null) {
            next.run();
        }
    }
}
