package io.taskmaster.server.engine.select;

import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.pattern.NamePattern;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.server.engine.state.QueueState;
import io.taskmaster.server.engine.state.Queues;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The set of queues that one selector chooses. A name is matched against a pattern once, as long as its queue is there;
 * so the cost of a command does not depend on that of the pattern. Names that are many, or expensive to match, are
 * matched off the loop ({@link PatternMatchJob}; {@code docs/adr/0014-patterns-beside-the-loop.md}). Single-threaded:
 * owned by the partition's loop.
 */
public final class SelectorMatch {

    /** The number of unmatched names up to which a command matches them inline. */
    private static final int MAX_INLINE_NAMES = 2000;

    /** The number of rotations kept, one per cap of leases. */
    private static final int MAX_ROTATIONS = 8;

    private final Selector selector;
    private final @Nullable NamePattern pattern;
    private final Set<QueueName> names;
    private final Queues queues;
    private final SelectorCache cache;

    /** The slots whose queue's name was matched. {@code chosen} has the outcome. */
    private final BitSet evaluated = new BitSet();

    private final BitSet chosen = new BitSet();
    private int evaluatedCount;
    private long evaluatedBytes;

    private final LinkedHashMap<Long, WeightedRoundRobin> rotations = new LinkedHashMap<>(2, 0.75f, true);

    SelectorMatch(Selector selector, Queues queues, SelectorCache cache) {
        this.selector = selector;
        this.pattern = selector.pattern().orElse(null);
        this.names = Set.copyOf(selector.names());
        this.queues = queues;
        this.cache = cache;
    }

    /** Returns whether it chooses a queue. A name that is not known yet is matched inline. */
    public boolean chooses(QueueState queue) {
        if (pattern == null) {
            return inGroup(selector, queue.key())
                    && (names.isEmpty() || names.contains(queue.key().name()));
        }
        if (!evaluated.get(queue.slot())) {
            cache.spend(steps(queue));
            record(
                    queue,
                    isNamed(queue)
                            || (isOpen(queue) && pattern.matches(queue.key().name())));
        }
        return chosen.get(queue.slot());
    }

    /** Returns whether {@link #chooses} needs no work, or so little that this loop tick can afford it. */
    boolean isReady(QueueState queue) {
        return pattern == null || evaluated.get(queue.slot()) || steps(queue) <= cache.remainingSteps();
    }

    /** Returns whether the queue in a slot, if there is one, is known not to be chosen. */
    boolean isRuledOut(int slot) {
        return evaluated.get(slot) && !chosen.get(slot);
    }

    /** Returns whether so little is left to match that it can be done inline. */
    boolean isKnown() {
        if (pattern == null) {
            return true;
        }
        int remaining = queues.size() - evaluatedCount;
        return remaining <= MAX_INLINE_NAMES
                && pattern.steps(remaining, queues.nameBytes() - evaluatedBytes) <= cache.remainingSteps();
    }

    /** The pattern. Not to be called without one. */
    NamePattern pattern() {
        return Objects.requireNonNull(pattern);
    }

    /** Returns the first slot at or behind a slot whose queue, if there is one, is not known. */
    int nextUnknown(int slot) {
        return evaluated.nextClearBit(slot);
    }

    /** Returns whether only the pattern can decide on this queue. */
    boolean isOpen(QueueState queue) {
        return inGroup(selector, queue.key()) && !names.contains(queue.key().name());
    }

    /** Returns whether it is chosen by its name. */
    boolean isNamed(QueueState queue) {
        return inGroup(selector, queue.key()) && names.contains(queue.key().name());
    }

    /** Returns the work to match the name of a queue, at most. */
    long steps(QueueState queue) {
        return isOpen(queue) ? pattern().steps(queue.key().name()) : 1;
    }

    /** Records whether it chooses a queue that is there. */
    void record(QueueState queue, boolean chooses) {
        if (!evaluated.get(queue.slot())) {
            evaluated.set(queue.slot());
            evaluatedCount++;
            evaluatedBytes += queue.key().name().size();
        }
        chosen.set(queue.slot(), chooses);
    }

    /**
     * Returns the rotation that leases go round.
     *
     * @param cap the number of leases beyond which no queue gets more; 0: no cap
     */
    public WeightedRoundRobin rotation(long cap) {
        WeightedRoundRobin weightedRoundRobin = rotations.get(cap);
        if (weightedRoundRobin == null) {
            weightedRoundRobin = new WeightedRoundRobin(this, queues, cap, slots());
            rotations.put(cap, weightedRoundRobin);
            cache.rotates(this);
            // The map is in the order of access, so the first one is the one not used for longest.
            if (rotations.size() > MAX_ROTATIONS) {
                rotations.pollFirstEntry();
            }
        }
        return weightedRoundRobin;
    }

    /** Returns the slots of all queues that may be chosen. */
    private BitSet slots() {
        BitSet slots = new BitSet();
        if (selector.isByName()) {
            for (QueueKey key : selector.keys()) {
                QueueState queue = queues.get(key);
                if (queue != null) {
                    slots.set(queue.slot());
                }
            }
        } else {
            slots.set(0, queues.slots());
            BitSet others = (BitSet) evaluated.clone();
            others.andNot(chosen);
            slots.andNot(others);
        }
        return slots;
    }

    void removed(QueueState queue) {
        if (evaluated.get(queue.slot())) {
            // The bit in chosen may stay: it counts only where evaluated is set, and record() sets both.
            evaluated.clear(queue.slot());
            evaluatedCount--;
            evaluatedBytes -= queue.key().name().size();
        }
    }

    void mayLease(QueueState queue) {
        for (WeightedRoundRobin weightedRoundRobin : rotations.values()) {
            weightedRoundRobin.mayLease(queue);
        }
    }

    private static boolean inGroup(Selector selector, QueueKey queue) {
        return selector.group().isEmpty() || selector.group().get().equals(queue.group());
    }
}
