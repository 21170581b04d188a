package io.taskmaster.server.simulation;

import java.util.ArrayDeque;
import java.util.Queue;

/** The loop of one process: runs what it is given, in order, a little later, in virtual time. Single-threaded. */
final class SimulatedLoop {

    private static final long MAX_TURN_MICROS = 40;

    private final World world;
    private final OwnerProcess process;
    private final Queue<Runnable> tasks = new ArrayDeque<>();

    SimulatedLoop(World world, OwnerProcess process) {
        this.world = world;
        this.process = process;
    }

    public void execute(Runnable task) {
        tasks.add(task);
        process.in(world.random.nextLong(MAX_TURN_MICROS), this::runNext);
    }

    public long nowMillis() {
        return process.clockMillis();
    }

    /** Runs something once the clock shows that so much time has passed. */
    public void schedule(long delayMillis, Runnable task) {
        process.in(world.microsUntilClockAdvancesBy(delayMillis), () -> execute(task));
    }

    private void runNext() {
        Runnable next = tasks.poll();
        if (next != null) {
            next.run();
        }
    }
}
