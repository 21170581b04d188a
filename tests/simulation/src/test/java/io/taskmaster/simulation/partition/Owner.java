package io.taskmaster.simulation.partition;

import io.taskmaster.command.Command;
import io.taskmaster.proxy.route.ReplySink;
import io.taskmaster.server.store.Store;
import io.taskmaster.simulation.world.SimulatedLoop;
import java.util.random.RandomGenerator;

/** The code under test: one partition in one process. */
interface Owner {

    /** A factory of owners. */
    interface Factory {

        /** Starts an owner, which begins at once to take over the partition. */
        Owner open(SimulatedLoop loop, Store store, RandomGenerator random, String name);
    }

    void submit(Command command, ReplySink sink);

    boolean isServing();

    /** Returns whether it has given up ownership for good. */
    boolean isStopped();

    /** Writes what is dirty, and releases the partition. */
    void close();
}
