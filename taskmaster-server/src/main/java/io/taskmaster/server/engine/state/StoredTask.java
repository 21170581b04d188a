package io.taskmaster.server.engine.state;

import io.taskmaster.model.Pid;
import io.taskmaster.server.engine.command.Enqueued;
import io.taskmaster.server.engine.command.Grant;
import org.jspecify.annotations.Nullable;

/**
 * A task row as it was read: only cells that are believed. Immutable.
 *
 * @param grant the stored lease; null: available or delayed
 * @param remembers whether it has a rerun, according to its state cell
 * @param rerun the rerun in its row, if it was read too; memory may know that there is one where the state cell does
 *     not
 * @param cells the cells that are there, believed or not
 */
public record StoredTask(
        Pid pid,
        Enqueued data,
        int attempt,
        @Nullable Grant grant,
        boolean remembers,
        @Nullable Enqueued rerun,
        CellSet cells) {}
