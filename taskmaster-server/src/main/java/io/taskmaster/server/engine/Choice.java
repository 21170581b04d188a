package io.taskmaster.server.engine;

import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.server.engine.Command.Selector;
import io.taskmaster.server.engine.pattern.NamePattern;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The queues that one selector chooses. A name is matched against a pattern once, as long as its queue is there; so the cost of a command
 * does not depend on that of the pattern. Names that are many, or expensive to match, are matched beside the loop ({@link Look}). Single-threaded: owned by its partition.
 */
final class Choice {

    /** So many names may be matched on the way. */
    private static final int NAMES_ON_THE_WAY = 2000;

    /** How many caps of leases are told apart. */
    private static final int MAX_ROTATIONS = 8;

    private final Selector selector;
    private final @Nullable NamePattern pattern;
    private final Set<QueueName> names;
    private final Queues queues;

    /** By slot: whether the queue's name was matched, and the outcome. */
    private final BitSet looked = new BitSet();

    private final BitSet chosen = new BitSet();
    private int lookedAt;
    private long lookedBytes;

    private final LinkedHashMap<Long, Rotation> rotations = new LinkedHashMap<>(2, 0.75f, true);

    Choice(Selector selector, Queues queues) {
        this.selector = selector;
        this.pattern = selector.pattern().orElse(null);
        this.names = Set.copyOf(selector.names());
        this.queues = queues;
    }

    /** Whether it chooses a queue; a name that is not known yet is matched here and now. */
    boolean chooses(QueueState queue) {
        if (pattern == null) {
            return inGroup(selector, queue.key) && (names.isEmpty() || names.contains(queue.key.name()));
        }
        if (!looked.get(queue.slot)) {
            queues.choices().spend(steps(queue));
            learn(queue, isNamed(queue) || (isOpen(queue) && pattern.matches(queue.key.name())));
        }
        return chosen.get(queue.slot);
    }

    /** Whether {@link #chooses} says so without work, or with so little that it may be done in this turn. */
    boolean isReady(QueueState queue) {
        return pattern == null
                || looked.get(queue.slot)
                || steps(queue) <= queues.choices().stepsLeft();
    }

    /** Whether the queue in a slot, if there is one, is known not to be chosen. */
    boolean isRuledOut(int slot) {
        return looked.get(slot) && !chosen.get(slot);
    }

    /** Whether so little is left to match that it may be done on the way. */
    boolean isKnown() {
        if (pattern == null) {
            return true;
        }
        int left = queues.size() - lookedAt;
        return left <= NAMES_ON_THE_WAY
                && pattern.steps(left, queues.nameBytes() - lookedBytes)
                        <= queues.choices().stepsLeft();
    }

    /** The pattern, which there is. */
    NamePattern pattern() {
        return Objects.requireNonNull(pattern);
    }

    /** The first slot from a slot on whose queue, if there is one, is not known. */
    int nextUnknown(int slot) {
        return looked.nextClearBit(slot);
    }

    /** Whether it takes the pattern to know of this queue. */
    boolean isOpen(QueueState queue) {
        return inGroup(selector, queue.key) && !names.contains(queue.key.name());
    }

    /** Whether it is chosen by its name. */
    boolean isNamed(QueueState queue) {
        return inGroup(selector, queue.key) && names.contains(queue.key.name());
    }

    /** The work to match the name of a queue, at most. */
    long steps(QueueState queue) {
        return isOpen(queue) ? pattern().steps(queue.key.name()) : 1;
    }

    /** From now on it is known whether it chooses a queue that is there. */
    void learn(QueueState queue, boolean chooses) {
        if (!looked.get(queue.slot)) {
            looked.set(queue.slot);
            lookedAt++;
            lookedBytes += queue.key.name().size();
        }
        chosen.set(queue.slot, chooses);
    }

    /**
     * The circle that leases go around.
     *
     * @param cap how many leases no queue may get beyond; 0: none
     */
    Rotation rotation(long cap) {
        Rotation rotation = rotations.get(cap);
        if (rotation == null) {
            rotation = new Rotation(this, queues, cap, slots());
            rotations.put(cap, rotation);
            queues.choices().rotates(this);
            if (rotations.size() > MAX_ROTATIONS) {
                rotations.pollFirstEntry();
            }
        }
        return rotation;
    }

    /** The slots of all that may be chosen. */
    private BitSet slots() {
        BitSet slots = new BitSet();
        if (selector.isByName()) {
            for (QueueKey key : selector.keys()) {
                QueueState queue = queues.get(key);
                if (queue != null) {
                    slots.set(queue.slot);
                }
            }
        } else {
            slots.set(0, queues.slots());
            BitSet others = (BitSet) looked.clone();
            others.andNot(chosen);
            slots.andNot(others);
        }
        return slots;
    }

    void removed(QueueState queue) {
        if (looked.get(queue.slot)) {
            looked.clear(queue.slot);
            lookedAt--;
            lookedBytes -= queue.key.name().size();
        }
    }

    void mayLease(QueueState queue) {
        for (Rotation rotation : rotations.values()) {
            rotation.mayLease(queue);
        }
    }

    /** Whether a selector chooses a queue; not remembered. */
    static boolean chooses(Selector selector, QueueKey queue) {
        return inGroup(selector, queue)
                && (selector.choosesAll()
                        || selector.names().contains(queue.name())
                        || (selector.pattern().isPresent()
                                && selector.pattern().get().matches(queue.name())));
    }

    private static boolean inGroup(Selector selector, QueueKey queue) {
        return selector.group().isEmpty() || selector.group().get().equals(queue.group());
    }
}
