package io.taskmaster.server.engine.state;

import io.taskmaster.server.engine.flow.FamilyPattern;
import java.util.Optional;

/**
 * The engine's bounds. Immutable.
 *
 * @param lowWaterTasks with fewer leasable tasks in the window than this, a scan for more begins
 * @param minWindowTasks the number of tasks at the head of the queue used last that are never evicted
 * @param dedupMillis how long an update with an id is remembered
 * @param families the families of queues that the operator has named
 */
public record EngineSettings(
        int lowWaterTasks, int minWindowTasks, long dedupMillis, Optional<FamilyPattern> families) {

    public EngineSettings(int lowWaterTasks, int minWindowTasks, long dedupMillis) {
        this(lowWaterTasks, minWindowTasks, dedupMillis, Optional.empty());
    }

    public static final EngineSettings DEFAULTS = new EngineSettings(256, 64, 120_000);
}
