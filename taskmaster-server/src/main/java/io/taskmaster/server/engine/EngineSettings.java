package io.taskmaster.server.engine;

/**
 * The engine's bounds. Immutable.
 *
 * @param lowWaterTasks with fewer tasks to lease in the window than this, a scan for more begins
 * @param minWindowTasks so many tasks at the head of a queue in use are never given up
 * @param dedupMillis how long an update with an id is remembered
 */
public record EngineSettings(int lowWaterTasks, int minWindowTasks, long dedupMillis) {

    public static final EngineSettings DEFAULTS = new EngineSettings(256, 64, 120_000);
}
