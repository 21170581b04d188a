package io.taskmaster.server.engine.state;

import io.taskmaster.command.Command;
import java.util.ArrayList;
import java.util.List;

/** A command of an {@link EngineSimulation} that is not decided yet. Single-threaded: owned by the simulation. */
final class SimulatedRequest {

    final Command command;

    /** The entries that it keeps in memory. */
    final List<Task> pinned = new ArrayList<>();

    /** The number of needs that it waits for. */
    int awaited;

    boolean over;

    SimulatedRequest(Command command) {
        this.command = command;
    }
}
