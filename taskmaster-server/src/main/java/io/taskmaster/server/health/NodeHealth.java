package io.taskmaster.server.health;

import java.util.Map;
import java.util.OptionalLong;

/**
 * Whether a node serves, and if not, why. Immutable.
 *
 * @param isServing whether any partition serves. A balancer that took a node away for the sake of one partition would take the others along, and
 *     nobody else has the one
 * @param reason it does not serve, or does not serve all; empty if it does
 * @param partitions how many there are in each state, by its name
 */
public record NodeHealth(boolean isServing, String reason, Map<String, Integer> partitions, StoreHealth store) {

    /** Of a node that has nothing that could fail. */
    public static final NodeHealth SERVING =
            new NodeHealth(true, "", Map.of(), new StoreHealth("open", "ample", OptionalLong.empty(), 0));

    public NodeHealth {
        partitions = Map.copyOf(partitions);
    }

    /** The same node, when it is not to serve. */
    public NodeHealth notServing(String why) {
        return new NodeHealth(false, why, partitions, store);
    }
}
