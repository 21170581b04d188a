package io.taskmaster.model;

import java.util.Comparator;

/** The full name of a queue: its consistency group and its name. Ordered by group, then by name. Immutable. */
public record QueueKey(GroupName group, QueueName name) implements Comparable<QueueKey> {

    private static final Comparator<QueueKey> ORDER =
            Comparator.comparing(QueueKey::group).thenComparing(QueueKey::name);

    /** Returns the key of a queue of the default group. */
    public static QueueKey of(String name) {
        return new QueueKey(GroupName.EMPTY, QueueName.of(name));
    }

    /** Returns the key of a queue. */
    public static QueueKey of(String group, String name) {
        return new QueueKey(GroupName.of(group), QueueName.of(name));
    }

    @Override
    public int compareTo(QueueKey other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return group.isEmpty() ? name.toString() : group + "/" + name;
    }
}
