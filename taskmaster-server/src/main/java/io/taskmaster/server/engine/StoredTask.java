package io.taskmaster.server.engine;

import io.taskmaster.model.Pid;
import io.taskmaster.server.engine.Command.Payload;
import org.jspecify.annotations.Nullable;

/**
 * A task row as it was read: only cells that are believed. Immutable.
 *
 * @param grant the stored lease; null: available
 * @param hasState whether a state cell is there
 */
public record StoredTask(
        Pid pid,
        Payload payload,
        long enqueuedMillis,
        int attempt,
        @Nullable Grant grant,
        boolean hasState) {}
