package io.taskmaster.client;

import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A selection of queues by name, by pattern, or both (the union). With neither, it is every queue of the group for list
 * and describe, and it is refused for lease and delete. Immutable.
 *
 * @param group the group; absent: every group
 * @param names the names
 * @param pattern the pattern in RE2 syntax, which must match a whole name; names that are not UTF-8 match none
 * @param leavesOutDeadLetters whether the pattern matches no dead-letter queue ({@link DeadLetter}). Refused without a
 *     pattern. Servers that do not know it yet ignore it: a delete there deletes the dead letters that the pattern
 *     matches
 */
public record QueueSelector(
        Optional<GroupName> group, List<QueueName> names, Optional<String> pattern, boolean leavesOutDeadLetters) {

    public QueueSelector {
        names = List.copyOf(names);
    }

    /** Makes a selection whose pattern may match dead-letter queues. */
    public QueueSelector(Optional<GroupName> group, List<QueueName> names, Optional<String> pattern) {
        this(group, names, pattern, false);
    }

    /** Returns one queue. */
    public static QueueSelector of(QueueKey queue) {
        return of(queue.group(), queue.name());
    }

    /** Returns the queues of these names in a group. */
    public static QueueSelector of(GroupName group, QueueName... names) {
        return new QueueSelector(Optional.of(group), Arrays.asList(names), Optional.empty());
    }

    /** Returns every queue of a group whose name matches. */
    public static QueueSelector matching(GroupName group, String pattern) {
        return new QueueSelector(Optional.of(group), List.of(), Optional.of(pattern));
    }

    /** Returns every queue of a group. */
    public static QueueSelector allIn(GroupName group) {
        return new QueueSelector(Optional.of(group), List.of(), Optional.empty());
    }

    /** Returns the queues of these names, in every group. */
    public static QueueSelector inAllGroups(QueueName... names) {
        return new QueueSelector(Optional.empty(), Arrays.asList(names), Optional.empty());
    }

    /** Returns every queue of every group. */
    public static QueueSelector all() {
        return new QueueSelector(Optional.empty(), List.of(), Optional.empty());
    }

    /** Returns the queues, of any group, whose name matches. */
    public static QueueSelector matchingInAllGroups(String pattern) {
        return new QueueSelector(Optional.empty(), List.of(), Optional.of(pattern));
    }

    /**
     * Returns the same selection with a pattern that matches no dead-letter queue. Servers that do not know this yet
     * ignore it: a delete there deletes the dead letters that the pattern matches.
     */
    public QueueSelector withoutDeadLetters() {
        return new QueueSelector(group, names, pattern, true);
    }
}
