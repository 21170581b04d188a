package io.taskmaster.simulation.network;

import io.taskmaster.proxy.rpc.EmbeddedService;
import io.taskmaster.simulation.world.OwnerProcess;

/** A process that messages can be sent to. It serves the contract once it listens. */
public interface Host {

    OwnerProcess process();

    boolean isListening();

    EmbeddedService embeddedService();

    /**
     * Notes a new connection.
     *
     * @param whenItDies runs once the connection breaks because the process has ended
     */
    void connected(Runnable whenItDies);
}
