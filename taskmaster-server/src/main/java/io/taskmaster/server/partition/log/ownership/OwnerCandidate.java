package io.taskmaster.server.partition.log.ownership;

/**
 * A candidate owner of partitions. Immutable.
 *
 * @param name the name of the process, for operators; in a cluster, of this run of the process
 * @param mapVersion the version of the partition map that assigns the partitions to it; where one node has all of them,
 *     the number of its claim; 0 where no other node can reach the store, so that there is no map
 */
public record OwnerCandidate(String name, long mapVersion) {

    public OwnerCandidate {
        if (mapVersion < 0) {
            throw new IllegalArgumentException("map version: " + mapVersion + " (expected: not negative)");
        }
    }

    /** Creates a candidate for a store that no other node can reach: there is no partition map, and none is needed. */
    public static OwnerCandidate alone(String name) {
        return new OwnerCandidate(name, 0);
    }
}
