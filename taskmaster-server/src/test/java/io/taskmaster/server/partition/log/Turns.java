package io.taskmaster.server.partition.log;

import java.util.ArrayDeque;

/** A loop that runs when the test says so, in the test's own thread, and where no time passes. */
final class Turns implements TimedExecutor {

    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private boolean dead;

    @Override
    public void execute(Runnable task) {
        if (!dead) {
            tasks.add(task);
        }
    }

    @Override
    public void schedule(long delayMillis, Runnable task) {
        execute(task);
    }

    /** Runs until nothing is left to do. */
    void run() {
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
    }

    /** The process is gone: nothing that comes back is looked at. */
    void die() {
        dead = true;
        tasks.clear();
    }
}
