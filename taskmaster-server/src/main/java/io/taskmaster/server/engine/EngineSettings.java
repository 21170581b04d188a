package io.taskmaster.server.engine;

import io.taskmaster.server.engine.flow.FamilyPattern;
import java.util.Optional;

/**
 * The engine's bounds. Immutable.
 *
 * @param lowWaterTasks with fewer tasks to lease in the window than this, a scan for more begins
 * @param minWindowTasks so many tasks at the head of a queue in use are never given up
 * @param dedupMillis how long an update with an id is remembered
 * @param families which families of queues people have named
 */
public record EngineSettings(
        int lowWaterTasks, int minWindowTasks, long dedupMillis, Optional<FamilyPattern> families) {

    public EngineSettings(int lowWaterTasks, int minWindowTasks, long dedupMillis) {
        this(lowWaterTasks, minWindowTasks, dedupMillis, Optional.empty());
    }

    public static final EngineSettings DEFAULTS = new EngineSettings(256, 64, 120_000);
}
