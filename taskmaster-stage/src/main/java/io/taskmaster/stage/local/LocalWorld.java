package io.taskmaster.stage.local;

import io.taskmaster.client.Timer;
import java.util.concurrent.Executor;

/**
 * What local stages get handed in, so that a test can hand in a simulated world.
 *
 * @param pool threads that all stages share
 * @param blocking runs workers that may block: each at once
 */
public record LocalWorld(Timer timer, Executor pool, Executor blocking) {}
