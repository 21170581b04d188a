package io.taskmaster.stage;

import io.taskmaster.client.DeadLetter;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueName;
import java.util.List;
import java.util.Optional;

/**
 * Where tasks of one kind wait, and what their data means. It is one queue, or a family of queues with one name before the slash, such
 * as {@code fetch/example.com} and {@code fetch/example.org}: the members of a family come and go by use, and are served in turn (paper
 * section 3.3). Dead letters of a family's members are no members of it. Make one constant of each, for the stages of all processes.
 * Immutable.
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

    /** One queue. */
    public static <T> TaskQueue<T> of(String name, Codec<T> codec) {
        return new TaskQueue<>(name, false, codec);
    }

    /** Every queue whose name is this one, a slash, and the name of a member. */
    public static <T> TaskQueue<T> family(String name, Codec<T> codec) {
        return new TaskQueue<>(name, true, codec);
    }

    /** Of the queue, or of the family. */
    public String name() {
        return name;
    }

    public boolean isFamily() {
        return isFamily;
    }

    public Codec<T> codec() {
        return codec;
    }

    /** A task for the queue; not for a family, of which a member has to be named. */
    public NewTask<T> task(T payload) {
        if (isFamily) {
            throw new IllegalStateException("%s: a family of queues (expected: a member of it)".formatted(name));
        }
        return NewTask.of(this, QueueName.of(name), payload);
    }

    /** A task for one queue of the family. */
    public NewTask<T> task(String member, T payload) {
        if (!isFamily) {
            throw new IllegalStateException(
                    "%s: one queue, without member %s (expected: a family of queues)".formatted(name, member));
        }
        QueueName queue = QueueName.of(name + SEPARATOR + member);
        if (DeadLetter.isQueueOf(queue)) {
            throw new IllegalArgumentException(
                    "member: %s (expected: a name that is none of dead letters)".formatted(member));
        }
        return NewTask.of(this, queue, payload);
    }

    /** Which member of the family a queue is; empty if there is no family. */
    public String memberOf(QueueName queue) {
        return isFamily ? queue.toString().substring(name.length() + 1) : "";
    }

    /**
     * All queues of it, without dead letters.
     *
     * @param group absent: of every group
     */
    public QueueSelector selector(Optional<GroupName> group) {
        return isFamily
                ? new QueueSelector(group, List.of(), Optional.of(pattern()))
                : new QueueSelector(group, List.of(QueueName.of(name)), Optional.empty());
    }

    /** Whether there can be a queue that belongs to both. */
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
