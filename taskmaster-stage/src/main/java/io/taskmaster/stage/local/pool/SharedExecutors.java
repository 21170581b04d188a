package io.taskmaster.stage.local.pool;

import io.taskmaster.client.Timer;
import java.util.concurrent.Executor;

/**
 * The resources that the stages of a process share. Immutable.
 *
 * @param blocking runs workers that may block, each at once
 */
public record SharedExecutors(Timer timer, Threads pool, Executor blocking) {

    public static SharedExecutors in(LocalEnvironment environment) {
        return new SharedExecutors(
                environment.timer(),
                Threads.of(environment.pool(), environment.timer()::nanoTime),
                environment.blocking());
    }
}
