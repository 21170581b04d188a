package io.taskmaster.server.cluster;

import io.taskmaster.placement.ClusterMember.State;

/**
 * The content of a member's cell. Beats go on rising from one incarnation of a node to the next, so that no content
 * recurs. Immutable.
 *
 * <pre>{@code
 * state   | event                           | next    | effect
 * --------+---------------------------------+---------+-----------------------------------
 * (none)  | the first process of a node     | JOINING | beat 0
 * any     | another process of that node    | JOINING | its incarnation, beat + 1
 * JOINING | warm                            | SERVING | beat + 1
 * JOINING | told to end                     | LEAVING | beat + 1
 * SERVING | told to end                     | LEAVING | beat + 1
 * any     | ended                           | STOPPED | beat + 1, the last of this incarnation
 * all but | interval passed                 | same    | beat + 1
 * STOPPED |                                 |         |
 * }</pre>
 *
 * @param profile the process
 * @param state the state; never {@code DEAD}, which is what others think
 * @param beat rises as long as the node lives
 */
public record MemberRecord(MemberProfile profile, State state, long beat) {

    public MemberRecord {
        if (state == State.DEAD || beat < 0) {
            throw new IllegalArgumentException(
                    "member: state %s, beat %d (expected: not DEAD, and not negative)".formatted(state, beat));
        }
    }

    /** Returns true if both are of one process, whatever their states and beats. */
    boolean isOfSameProcessAs(MemberRecord other) {
        return profile.node().id().equals(other.profile.node().id())
                && profile.node().incarnation() == other.profile.node().incarnation();
    }

    MemberRecord next(State state) {
        return new MemberRecord(profile, state, beat + 1);
    }
}
