package io.taskmaster.model;

import java.util.Comparator;

/** A queue: its consistency group and its name. Ordered by group, then name. Immutable. */
public record QueueKey(GroupName group, QueueName name) implements Comparable<QueueKey> {

    private static final Comparator<QueueKey> ORDER =
            Comparator.comparing(QueueKey::group).thenComparing(QueueKey::name);

    @Override
    public int compareTo(QueueKey other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return group.isEmpty() ? name.toString() : group + "/" + name;
    }
}
