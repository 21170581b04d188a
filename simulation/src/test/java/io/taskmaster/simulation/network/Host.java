package io.taskmaster.simulation.network;

import io.taskmaster.server.rpc.ServiceFace;
import io.taskmaster.simulation.world.OwnerProcess;

/** What messages can be sent to: a process that serves the contract, once it listens. */
public interface Host {

    OwnerProcess process();

    boolean isListening();

    ServiceFace face();

    /**
     * Somebody has a connection to it.
     *
     * @param whenItDies is run once it is broken because the process is gone
     */
    void connected(Runnable whenItDies);
}
