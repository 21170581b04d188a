package io.taskmaster.server.engine;

import io.taskmaster.model.Pid;
import org.jspecify.annotations.Nullable;

/**
 * A task row as it was read: only cells that are believed. Immutable.
 *
 * @param grant the stored lease; null: available or delayed
 * @param remembers whether something is remembered beside it, by the word of its state
 * @param rerun what its row has of that, if it was read too; memory may know that there is such a thing where the state does not
 * @param cells which of its cells are there, believed or not
 */
public record StoredTask(
        Pid pid,
        Enqueued data,
        int attempt,
        @Nullable Grant grant,
        boolean remembers,
        @Nullable Enqueued rerun,
        CellSet cells) {}
