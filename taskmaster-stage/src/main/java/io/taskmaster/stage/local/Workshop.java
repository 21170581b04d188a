package io.taskmaster.stage.local;

import io.taskmaster.client.Timer;
import java.util.concurrent.Executor;

/**
 * The resources that the stages of a process share. Immutable.
 *
 * @param blocking runs workers that may block, each at once
 */
record Workshop(Timer timer, Threads pool, Executor blocking) {

    static Workshop in(LocalWorld world) {
        return new Workshop(world.timer(), Threads.of(world.pool(), world.timer()::nanoTime), world.blocking());
    }
}
