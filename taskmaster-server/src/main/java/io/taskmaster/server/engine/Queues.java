package io.taskmaster.server.engine;

import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.ApplyAtom.OptionsChange;
import io.taskmaster.server.engine.ApplyAtom.QueueChange;
import io.taskmaster.server.engine.flow.Families;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The queues of a partition: by name, in order, and by a small number, the slot, that each has while it is there. What was told to a
 * queue is kept for the name, be the queue there or not. Single-threaded: owned by its partition.
 */
public final class Queues {

    private final Map<QueueKey, QueueState> byKey = new HashMap<>();
    private final TreeMap<QueueKey, QueueState> ordered = new TreeMap<>();
    private final List<@Nullable QueueState> bySlot = new ArrayList<>();
    private final ArrayDeque<Integer> freeSlots = new ArrayDeque<>();
    private final Map<QueueKey, QueueOptions> options = new HashMap<>();
    private final Choices choices = new Choices(this);
    private final Families families = new Families();

    /** How many names have options but no queue. */
    private int optionsAlone;

    Queues() {}

    @Nullable
    QueueState get(QueueKey key) {
        return byKey.get(key);
    }

    /** All of them, in order of group and name. */
    Collection<QueueState> all() {
        return ordered.values();
    }

    NavigableMap<QueueKey, QueueState> ordered() {
        return ordered;
    }

    /** How many names cost memory: those of queues that are there, and those with options. */
    public int named() {
        return byKey.size() + optionsAlone;
    }

    /** How many more will be {@link #named} once an atom is applied that takes no options back. */
    public int namedBy(ApplyAtom atom) {
        int more = 0;
        List<QueueChange> changes = atom.queues();
        for (int i = 0; i < changes.size(); i++) {
            more += isNamed(changes.get(i).queue()) ? 0 : 1;
        }
        for (OptionsChange change : atom.options()) {
            more += isNamed(change.queue()) || change.options().equals(QueueOptions.NONE) ? 0 : 1;
        }
        return more;
    }

    private boolean isNamed(QueueKey key) {
        return byKey.containsKey(key) || options.containsKey(key);
    }

    /** The queue in a slot; null if the slot is free. */
    @Nullable
    QueueState at(int slot) {
        return slot < bySlot.size() ? bySlot.get(slot) : null;
    }

    /** How many there are. */
    int size() {
        return byKey.size();
    }

    /** All slots in use are below this. */
    int slots() {
        return bySlot.size();
    }

    /** Which queues selectors choose, and whose turn it is among them. */
    public Choices choices() {
        return choices;
    }

    /** How tasks flow between them. */
    public Families families() {
        return families;
    }

    /** This queue is about to change its sizes. */
    void changing(QueueState queue) {
        queue.countOut();
        choices.changing(queue);
    }

    /** This queue, which was about to, has changed its sizes. */
    void changed(QueueState queue) {
        queue.countIn();
        choices.changed(queue);
    }

    QueueState create(QueueKey named, long generation) {
        QueueKey key = sharingGroup(named);
        if (families.learn(key)) {
            tellFamiliesAgain();
        }
        boolean reused = !freeSlots.isEmpty();
        QueueState queue =
                new QueueState(key, families.join(key), generation, reused ? freeSlots.pop() : bySlot.size());
        if (reused) {
            bySlot.set(queue.slot, queue);
        } else {
            bySlot.add(queue);
        }
        QueueOptions told = options.get(key);
        if (told != null) {
            queue.options = told;
            optionsAlone--;
        }
        byKey.put(key, queue);
        ordered.put(key, queue);
        return queue;
    }

    private void tellFamiliesAgain() {
        for (QueueState queue : byKey.values()) {
            queue.countOut();
            queue.family.left();
            queue.family = families.join(queue.key);
            queue.countIn();
        }
    }

    /** The key, with the group's name that its neighbour has: groups of many queues keep one. */
    private QueueKey sharingGroup(QueueKey key) {
        QueueKey neighbour = ordered.lowerKey(key);
        return neighbour != null && neighbour.group().equals(key.group())
                ? new QueueKey(neighbour.group(), key.name())
                : key;
    }

    /** The queue is empty, and nothing is left to be known of it. */
    void remove(QueueState queue) {
        byKey.remove(queue.key);
        ordered.remove(queue.key);
        bySlot.set(queue.slot, null);
        freeSlots.push(queue.slot);
        choices.removed(queue);
        queue.countOut();
        queue.family.left();
        queue.slot = QueueState.NO_SLOT;
        if (options.containsKey(queue.key)) {
            optionsAlone++;
        }
    }

    /** What a queue was told, be it there or not. */
    QueueOptions options(QueueKey key) {
        return options.getOrDefault(key, QueueOptions.NONE);
    }

    void options(QueueKey key, QueueOptions told) {
        QueueState queue = byKey.get(key);
        QueueOptions before = told.equals(QueueOptions.NONE) ? options.remove(key) : options.put(key, told);
        if (queue != null) {
            queue.options = told;
            choices.mayLease(queue);
        } else {
            optionsAlone += (told.equals(QueueOptions.NONE) ? 0 : 1) - (before == null ? 0 : 1);
        }
    }

    @Override
    public String toString() {
        return ordered.values().toString();
    }
}
