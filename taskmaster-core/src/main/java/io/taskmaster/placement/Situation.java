package io.taskmaster.placement;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Everything that a decision is made from. Immutable.
 *
 * @param map the map as it is published; {@link PartitionMap#unplaced} before the first
 * @param members the members, at most one incarnation of each node: the last that joined. An owner in the map that is
 *     not among them is gone
 * @param drained the ids of the nodes that operators drain: {@link PlacementDecision#drained()} of the decision before,
 *     which the controller stores
 * @param loads the loads that the nodes report; those of nodes that the map does not name for the partition are ignored
 * @param history the history that the decision before returned; {@link PlacementHistory#EMPTY} for a new controller
 * @param wishes the wishes of operators that have no final answer yet
 * @param now the time, of the controller's own clock; must not go back between decisions
 */
public record Situation(
        PartitionMap map,
        List<ClusterMember> members,
        Set<String> drained,
        List<PartitionLoad> loads,
        PlacementHistory history,
        List<Wish> wishes,
        Instant now) {

    public Situation {
        members = List.copyOf(members);
        drained = Set.copyOf(drained);
        loads = List.copyOf(loads);
        wishes = List.copyOf(wishes);
        Set<String> ids = new HashSet<>();
        for (ClusterMember member : members) {
            if (!ids.add(member.node().id())) {
                throw new IllegalArgumentException("members with id %s: 2 (expected: 1)"
                        .formatted(member.node().id()));
            }
        }
    }
}
