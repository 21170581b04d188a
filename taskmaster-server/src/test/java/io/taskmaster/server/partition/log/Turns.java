package io.taskmaster.server.partition.log;

import io.taskmaster.server.partition.calls.TimedExecutor;
import java.util.ArrayDeque;

/** A loop that runs when the test says so, in the thread of the test; no time passes. */
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

    /** Runs all tasks, and those that they add. */
    void run() {
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
    }

    /** Simulates the death of the process: all tasks are dropped, and later ones ignored. */
    void die() {
        dead = true;
        tasks.clear();
    }
}
