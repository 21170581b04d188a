package io.taskmaster.placement;

import java.util.Collections;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;

/**
 * A decision of {@link Placement}. Immutable.
 *
 * @param map the map from now on; the one before, unless something changed
 * @param moves the moves that lead to it, each with its reason. A map can change without one, when planned moves are
 *     done
 * @param waits all that is not done yet, in words, and why
 * @param answers the answers to the wishes of operators, in their order
 * @param drained the ids of the nodes that operators drain from now on
 * @param history the history to decide on next time
 */
public record PlacementDecision(
        PartitionMap map,
        List<Move> moves,
        List<String> waits,
        List<Wish.Answer> answers,
        NavigableSet<String> drained,
        PlacementHistory history) {

    public PlacementDecision {
        moves = List.copyOf(moves);
        waits = List.copyOf(waits);
        answers = List.copyOf(answers);
        drained = Collections.unmodifiableNavigableSet(new TreeSet<>(drained));
    }

    /** Returns true if the map is another than the one decided on, and is to be published. */
    public boolean changes(PartitionMap before) {
        return map.version() != before.version();
    }
}
