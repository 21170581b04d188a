package io.taskmaster.server.cluster;

import io.taskmaster.placement.ClusterMember;
import io.taskmaster.placement.ClusterMember.State;
import java.time.Duration;

/**
 * A member as one watcher sees it. Immutable.
 *
 * <pre>{@code
 * look                                  | looks in state | silent looks
 * --------------------------------------+----------------+-------------
 * another incarnation                   | 0              | 0
 * another state, or alive again         | 0              | 0
 * another beat, the same state          | + 1            | 0
 * nothing new                           | + 1            | + 1
 * failed, or this cell cannot be read   | stays          | stays
 * }</pre>
 *
 * @param record the content of its cell
 * @param looksInState the successful looks since its record first had this state
 * @param silentLooks the successful looks since its beat changed last
 */
public record WatchedMember(MemberRecord record, int looksInState, int silentLooks) {

    /** The successful looks without a beat after which a member is dead. */
    static final int DEAD_AFTER_LOOKS = 8;

    static WatchedMember first(MemberRecord record) {
        return new WatchedMember(record, 0, 0);
    }

    /** Returns the member after a successful look. */
    WatchedMember seen(MemberRecord now) {
        if (!now.isOfSameProcessAs(record) || now.state() != record.state()) {
            return first(now);
        }
        if (now.beat() != record.beat()) {
            return isDead() ? first(now) : new WatchedMember(now, looksInState + 1, 0);
        }
        return new WatchedMember(now, looksInState + 1, silentLooks + 1);
    }

    /** Returns true if it has been silent for too long. A member that has stopped is not expected to beat. */
    public boolean isDead() {
        return silentLooks >= DEAD_AFTER_LOOKS && record.state() != State.STOPPED;
    }

    /** Returns the member as placement takes it: time is counted in looks, which are at least an interval apart. */
    public ClusterMember toClusterMember(long lookMillis) {
        return new ClusterMember(
                record.profile().node(),
                isDead() ? State.DEAD : record.state(),
                Duration.ofMillis(lookMillis * (isDead() ? silentLooks : looksInState)),
                record.profile().capacity());
    }
}
