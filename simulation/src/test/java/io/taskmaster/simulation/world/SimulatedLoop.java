package io.taskmaster.simulation.world;

import io.taskmaster.server.partition.PartitionLoop;
import java.util.ArrayDeque;
import java.util.Queue;

/** The loop of one process: runs what it is given, in order, a little later, in virtual time. Single-threaded. */
public final class SimulatedLoop implements PartitionLoop {

    private static final long MAX_TURN_MICROS = 40;
    private static final long MAX_BESIDE_MICROS = 2_000;

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
        process.in(world.random.nextLong(MAX_TURN_MICROS), this::runNext);
    }

    @Override
    public long nowMillis() {
        return process.clockMillis();
    }

    /** The clock shows by then that so much time has passed. */
    @Override
    public void schedule(long delayMillis, Runnable task) {
        process.in(world.microsUntilClockAdvancesBy(delayMillis), () -> execute(task));
    }

    /** Threads do not matter, only what comes between. */
    @Override
    public void executeBeside(Runnable task) {
        process.in(world.random.nextLong(MAX_BESIDE_MICROS), task);
    }

    /** Likewise. */
    @Override
    public void compute(Runnable work) {
        process.in(world.random.nextLong(MAX_BESIDE_MICROS), work);
    }

    private void runNext() {
        Runnable next = tasks.poll();
        if (next != null) {
            next.run();
        }
    }
}
