package io.taskmaster.stage;

import io.taskmaster.client.DeadLetter;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueName;
import java.util.List;
import java.util.Optional;

/**
 * A typed queue, or a family of queues: its name and the codec of its tasks. The queues of a family share the name
 * before the slash, such as {@code fetch/example.com} and {@code fetch/example.org}. Members come and go with their
 * tasks, and are served round-robin (paper section 3.3). Dead-letter queues of members are not members. Make one
 * constant of each, and share it among all processes. Immutable.
 *
 * @param <T> the payload of its tasks
 */
public final class TaskQueue<T> {

    private static final char SEPARATOR = '/';

    private final String name;
    private final boolean isFamily;
    private final Codec<T> codec;

    private TaskQueue(String name, boolean isFamily, Codec<T> codec) {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("name: empty (expected: the name of a queue, or of a family of queues)");
        }
        this.name = name;
        this.isFamily = isFamily;
        this.codec = codec;
    }

    /** Returns a single queue. */
    public static <T> TaskQueue<T> of(String name, Codec<T> codec) {
        return new TaskQueue<>(name, false, codec);
    }

    /** Returns the family of all queues whose name is this one, a slash, and the name of a member. */
    public static <T> TaskQueue<T> family(String name, Codec<T> codec) {
        return new TaskQueue<>(name, true, codec);
    }

    /** The name of the queue or of the family. */
    public String name() {
        return name;
    }

    /** Returns whether this is a family. */
    public boolean isFamily() {
        return isFamily;
    }

    /** The codec of its tasks. */
    public Codec<T> codec() {
        return codec;
    }

    /**
     * Creates a task for the queue.
     *
     * @throws IllegalStateException if this is a family, where a member has to be named
     */
    public NewTask<T> task(T payload) {
        if (isFamily) {
            throw new IllegalStateException("%s: a family of queues (expected: one of its queues)".formatted(name));
        }
        return NewTask.of(this, QueueName.of(name), payload);
    }

    /**
     * Creates a task for a member of the family.
     *
     * @throws IllegalStateException if this is a single queue
     * @throws IllegalArgumentException if the member is a dead-letter queue
     */
    public NewTask<T> task(String member, T payload) {
        if (!isFamily) {
            throw new IllegalStateException(
                    "%s: one queue, without member %s (expected: a family of queues)".formatted(name, member));
        }
        QueueName queue = QueueName.of(name + SEPARATOR + member);
        if (DeadLetter.isQueueOf(queue)) {
            throw new IllegalArgumentException(
                    "member: %s (expected: a name that is not of a dead-letter queue)".formatted(member));
        }
        return NewTask.of(this, queue, payload);
    }

    /** Returns the member of the family that a queue is; empty if this is a single queue. */
    public String memberOf(QueueName queue) {
        return isFamily ? queue.toString().substring(name.length() + 1) : "";
    }

    /**
     * Returns the selector of all its queues, without dead-letter queues.
     *
     * @param group the group; absent: every group
     */
    public QueueSelector selector(Optional<GroupName> group) {
        return isFamily
                ? new QueueSelector(group, List.of(), Optional.of(pattern()))
                : new QueueSelector(group, List.of(QueueName.of(name)), Optional.empty());
    }

    /** Returns whether a queue may belong to both. */
    boolean overlaps(TaskQueue<?> other) {
        boolean isSame = name.equals(other.name) && isFamily == other.isFamily;
        return this == other || isSame || isFamilyOf(other) || other.isFamilyOf(this);
    }

    private boolean isFamilyOf(TaskQueue<?> other) {
        boolean isDead = !other.isFamily && DeadLetter.isQueueOf(QueueName.of(other.name));
        return isFamily && other.name.startsWith(name + SEPARATOR) && !isDead;
    }

    private String pattern() {
        return quoted(name + SEPARATOR) + DeadLetter.PATTERN_OF_OTHERS;
    }

    private static String quoted(String literal) {
        return literal.replaceAll("(\\p{Punct})", "\\\\$1");
    }

    @Override
    public String toString() {
        return isFamily ? name + SEPARATOR + "*" : name;
    }
}
