package io.taskmaster.server;

import io.micrometer.core.instrument.MeterRegistry;
import io.taskmaster.proxy.program.StartException;
import io.taskmaster.server.config.ServerConfig;
import io.taskmaster.server.partition.Node;

/** A factory of nodes: it opens the store and all partitions. The boundary between the node and its endpoints. */
@FunctionalInterface
public interface NodeFactory {

    /**
     * Returns when every partition is open, or opening by itself. Blocks.
     *
     * @param meters the registry for the node's meters
     * @throws StartException if the data are in use, not accessible or not TaskMaster's, or cannot be opened
     */
    Node open(ServerConfig config, MeterRegistry meters) throws StartException;
}
