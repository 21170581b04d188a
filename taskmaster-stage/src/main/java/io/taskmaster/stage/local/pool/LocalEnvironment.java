package io.taskmaster.stage.local.pool;

import io.taskmaster.client.Timer;
import java.util.concurrent.Executor;

/**
 * The environment of local stages, which a test can simulate.
 *
 * @param pool the threads that all stages share
 * @param blocking runs workers that may block, each at once
 */
public record LocalEnvironment(Timer timer, Executor pool, Executor blocking) {}
