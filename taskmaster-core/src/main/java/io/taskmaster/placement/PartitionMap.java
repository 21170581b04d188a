package io.taskmaster.placement;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The partition map: the owner of each partition, by its number. It steers requests and openings, and guards nothing: a
 * stale map costs a hop. The nodes of a map are those that its entries name, so that no entry can name another.
 * Immutable.
 *
 * <p>Invariants: either all entries have an owner or none has; no entry is newer than the map; an incarnation has one
 * address.
 *
 * @param version the version; a map with a larger one replaces this one
 * @param entries the entries; the index is the number of the partition
 */
public record PartitionMap(long version, List<MapEntry> entries) {

    public PartitionMap {
        entries = List.copyOf(entries);
        if (entries.isEmpty()) {
            throw new IllegalArgumentException("partitions: 0 (expected: at least 1)");
        }
        boolean placed = entries.get(0).owner().isPresent();
        Set<NodeRef> named = new HashSet<>();
        for (int partition = 0; partition < entries.size(); partition++) {
            MapEntry entry = entries.get(partition);
            if (entry.version() > version) {
                throw new IllegalArgumentException("version of partition %d: %d (expected: at most %d, that of the map)"
                        .formatted(partition, entry.version(), version));
            }
            if (entry.owner().isPresent() != placed) {
                throw new IllegalArgumentException(
                        "owner of partition %d: %s (expected: an owner for all partitions, or for none)"
                                .formatted(partition, placed ? "none" : entry.owner()));
            }
            entry.owner().ifPresent(named::add);
            entry.from().ifPresent(named::add);
        }
        long incarnations = named.stream().map(NodeRef::ownerName).distinct().count();
        if (incarnations < named.size()) {
            throw new IllegalArgumentException(
                    "addresses of %d incarnations: %d (expected: one each)".formatted(incarnations, named.size()));
        }
    }

    /**
     * Returns the map from which the first map follows: no partition has an owner.
     *
     * @param version a version that no owner has seen; the first map has the next one
     */
    public static PartitionMap unplaced(int partitions, long version) {
        MapEntry none = new MapEntry(Optional.empty(), Optional.empty(), version);
        return new PartitionMap(version, Collections.nCopies(partitions, none));
    }

    /** Returns the number of partitions. */
    public int size() {
        return entries.size();
    }

    public MapEntry entry(int partition) {
        return entries.get(partition);
    }

    /** Returns true if the partitions have owners. */
    public boolean isPlaced() {
        return entries.get(0).owner().isPresent();
    }

    /** Returns the nodes that the entries name, in order. Walks over all entries. */
    public NavigableSet<NodeRef> nodes() {
        NavigableSet<NodeRef> nodes = new TreeSet<>();
        for (MapEntry entry : entries) {
            entry.owner().ifPresent(nodes::add);
            entry.from().ifPresent(nodes::add);
        }
        return Collections.unmodifiableNavigableSet(nodes);
    }
}
