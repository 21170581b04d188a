package io.taskmaster.server;

import io.micrometer.core.instrument.MeterRegistry;
import io.taskmaster.server.config.ServerConfig;
import io.taskmaster.server.partition.Node;

/** Opens the store and all partitions of a node: the seam between the engine room and the faces. */
@FunctionalInterface
public interface NodeFactory {

    /**
     * Returns when every partition is open, or opening by itself. Blocks.
     *
     * @param meters where what the node measures is registered
     * @throws StartException if the data are in use or not ours to read, or cannot be opened
     */
    Node open(ServerConfig config, MeterRegistry meters) throws StartException;
}
