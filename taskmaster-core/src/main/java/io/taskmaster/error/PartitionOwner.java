package io.taskmaster.error;

/**
 * The owner of a partition, as the node knows it that rejected a request for the partition. A hint: the node's copy of
 * the map may be older than the cluster's. Immutable.
 *
 * @param partition the number of the partition
 * @param mapVersion the version of the map that names the owner; 0: the node has no map
 * @param owner the name of the owner, {@code node#incarnation}; empty: not known
 * @param address the address of its port, {@code host:port}; empty: not known
 */
public record PartitionOwner(int partition, long mapVersion, String owner, String address) {

    public PartitionOwner {
        if (partition < 0 || mapVersion < 0) {
            throw new IllegalArgumentException(
                    "owner of partition %d, map version %d (expected: not negative)".formatted(partition, mapVersion));
        }
    }

    /** Returns the owner of a partition of which nothing is known. */
    public static PartitionOwner unknown(int partition) {
        return new PartitionOwner(partition, 0, "", "");
    }

    @Override
    public String toString() {
        return owner.isEmpty()
                ? "partition %d has no known owner".formatted(partition)
                : "partition %d is owned by %s%s, by version %d of the map"
                        .formatted(partition, owner, address.isEmpty() ? "" : " at " + address, mapVersion);
    }
}
