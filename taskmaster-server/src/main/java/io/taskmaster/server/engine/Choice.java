package io.taskmaster.server.engine;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.re2j.Pattern;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.server.engine.Command.Selector;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Set;

/**
 * Which queues one selector chooses. A name is held against a pattern once, as long as its queue is there; so what a command costs
 * does not depend on how expensive the pattern is. Single-threaded: owned by its partition.
 */
final class Choice {

    /** So many names are held against a pattern before others get their turn on the loop: one or two milliseconds. */
    private static final int SLICE = 2000;

    /** How many caps of leases are told apart. */
    private static final int MAX_ROTATIONS = 8;

    private final Selector selector;
    private final Set<QueueName> names;
    private final Queues queues;

    /** By slot: whether the queue was looked at, and what came of it. */
    private final BitSet looked = new BitSet();

    private final BitSet chosen = new BitSet();
    private int lookedAt;

    private final LinkedHashMap<Long, Rotation> rotations = new LinkedHashMap<>(2, 0.75f, true);

    Choice(Selector selector, Queues queues) {
        this.selector = selector;
        this.names = Set.copyOf(selector.names());
        this.queues = queues;
    }

    boolean chooses(QueueState queue) {
        if (selector.pattern().isEmpty()) {
            return inGroup(selector, queue.key) && (names.isEmpty() || names.contains(queue.key.name()));
        }
        if (!looked.get(queue.slot)) {
            looked.set(queue.slot);
            lookedAt++;
            chosen.set(queue.slot, chooses(selector, queue.key));
        }
        return chosen.get(queue.slot);
    }

    /** Whether the queue in a slot, if there is one, is known not to be chosen. */
    boolean isRuledOut(int slot) {
        return looked.get(slot) && !chosen.get(slot);
    }

    /** Whether so few queues are left to look at that it may happen on the way. */
    boolean isKnown() {
        return selector.pattern().isEmpty() || queues.size() - lookedAt <= SLICE;
    }

    /** Looks at some more queues. True if that is enough. */
    boolean lookOn() {
        int left = SLICE;
        for (int slot = looked.nextClearBit(0);
                slot < queues.slots() && left > 0;
                slot = looked.nextClearBit(slot + 1)) {
            QueueState queue = queues.at(slot);
            if (queue != null) {
                chooses(queue);
                left--;
            }
        }
        return isKnown();
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
                                && matches(selector.pattern().get(), queue.name())));
    }

    private static boolean inGroup(Selector selector, QueueKey queue) {
        return selector.group().isEmpty() || selector.group().get().equals(queue.group());
    }

    /** A pattern must match the whole name; a name that is not UTF-8 matches none. */
    private static boolean matches(Pattern pattern, QueueName name) {
        try {
            return pattern.matches(UTF_8.newDecoder()
                    .decode(ByteBuffer.wrap(name.unsafeArray()))
                    .toString());
        } catch (CharacterCodingException notText) {
            return false;
        }
    }
}
