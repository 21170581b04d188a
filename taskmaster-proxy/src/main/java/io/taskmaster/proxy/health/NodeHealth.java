package io.taskmaster.proxy.health;

import java.util.Map;
import java.util.OptionalLong;

/**
 * The health of a node: whether it serves, and if not, why. Immutable.
 *
 * @param isServing whether any partition serves. A load balancer that removed a node because of one partition would
 *     remove the others as well, and no other node has that partition
 * @param reason the reason why the node does not serve, or does not serve all partitions; empty if it serves all
 * @param partitions the number of partitions in each state, by its name
 * @param store the health of the store
 */
public record NodeHealth(boolean isServing, String reason, Map<String, Integer> partitions, StoreHealth store) {

    /** The health of a node that has nothing that could fail. */
    public static final NodeHealth SERVING =
            new NodeHealth(true, "", Map.of(), new StoreHealth("open", "ample", OptionalLong.empty(), 0));

    public NodeHealth {
        partitions = Map.copyOf(partitions);
    }

    /** Returns the health of the same node while it must not serve. */
    public NodeHealth notServing(String reason) {
        return new NodeHealth(false, reason, partitions, store);
    }
}
