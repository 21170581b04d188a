package io.taskmaster.simulation.partition;

import io.taskmaster.server.engine.Command;
import io.taskmaster.server.partition.Node.ReplySink;
import io.taskmaster.server.store.Store;
import io.taskmaster.simulation.world.SimulatedLoop;
import java.util.random.RandomGenerator;

/** The code under test: one partition in one process. */
interface Owner {

    /** Makes owners. */
    interface Factory {

        /** Brings one up; it begins to take over at once. */
        Owner open(SimulatedLoop loop, Store store, RandomGenerator random, String name);
    }

    void submit(Command command, ReplySink sink);

    boolean isServing();

    /** Whether it gave up, for good. */
    boolean isStopped();

    /** Writes what is dirty, and lets go. */
    void close();
}
