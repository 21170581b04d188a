package io.taskmaster.placement;

import java.time.Duration;

/**
 * A member of the cluster as its controller sees it. Immutable.
 *
 * @param node the incarnation
 * @param state the state
 * @param inState the time for which the controller has seen this state, of successful looks only: a look that fails
 *     shows nothing, and makes no node dead. For {@link State#DEAD} it is the time without a beat
 * @param capacity the capacity
 */
public record ClusterMember(NodeRef node, State state, Duration inState, NodeCapacity capacity) {

    /**
     * The state of a member.
     *
     * <pre>{@code
     * state   | event                     | next    | partitions
     * --------+---------------------------+---------+----------------------------------------------------
     * (none)  | process starts            | JOINING | only those of its life before, or if no node serves
     * JOINING | warm                      | SERVING | few at first, then its share
     * SERVING | told to end               | LEAVING | no new ones; those that it has leave it
     * LEAVING | everything is handed over | STOPPED | none
     * any     | no beat                   | DEAD    | none; its partitions are spread at once
     * DEAD    | beats again               | SERVING | as an empty member, which is filled again
     * }</pre>
     */
    public enum State {
        /** Started, and warming itself. */
        JOINING,
        /** Ready for partitions. */
        SERVING,
        /** About to end; serves until its partitions are handed over. */
        LEAVING,
        /** Ended; it has closed everything that it had. */
        STOPPED,
        /** Silent for longer than {@link PlacementPolicy.Deaths#patience()}. */
        DEAD
    }

    public ClusterMember {
        if (inState.isNegative()) {
            throw new IllegalArgumentException(
                    "time in state %s: %s (expected: not negative)".formatted(state, inState));
        }
    }

    /** Returns true if it can serve: it is neither dead nor stopped. */
    public boolean isAlive() {
        return state != State.DEAD && state != State.STOPPED;
    }
}
