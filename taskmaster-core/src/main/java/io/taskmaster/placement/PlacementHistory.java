package io.taskmaster.placement;

import java.time.Instant;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The memory of a controller between two decisions. A new controller starts with {@link #EMPTY}: it takes moves under
 * way for moves that begin now, knows no cool-down, and has no loads before the nodes report them again. Immutable.
 *
 * @param movedAt the time of the last planned move of each partition, as long as it is under way or cools down
 * @param loads the last load of each partition that was measured for long enough. It counts until the next owner has
 *     measured for as long: a partition does not become light by being moved
 * @param lastSeen the time at which each owner was last alive
 * @param failed the nodes that did not take a partition over, and when; no planned move goes there for a while
 * @param filling the nodes that are being filled up to their share
 * @param levelledAt the time of the last round of balancing
 * @param levelling true if that round did not reach its aim, so that the next goes on
 */
public record PlacementHistory(
        NavigableMap<Integer, Instant> movedAt,
        NavigableMap<Integer, PartitionLoad> loads,
        NavigableMap<NodeRef, Instant> lastSeen,
        NavigableMap<NodeRef, Instant> failed,
        NavigableSet<NodeRef> filling,
        Optional<Instant> levelledAt,
        boolean levelling) {

    /** The history of a controller that has decided nothing yet. */
    public static final PlacementHistory EMPTY = new PlacementHistory(
            new TreeMap<>(),
            new TreeMap<>(),
            new TreeMap<>(),
            new TreeMap<>(),
            new TreeSet<>(),
            Optional.empty(),
            false);

    public PlacementHistory {
        movedAt = Collections.unmodifiableNavigableMap(new TreeMap<>(movedAt));
        loads = Collections.unmodifiableNavigableMap(new TreeMap<>(loads));
        lastSeen = Collections.unmodifiableNavigableMap(new TreeMap<>(lastSeen));
        failed = Collections.unmodifiableNavigableMap(new TreeMap<>(failed));
        filling = Collections.unmodifiableNavigableSet(new TreeSet<>(filling));
    }
}
