package io.taskmaster.server.engine;

import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.ApplyAtom.OptionsChange;
import io.taskmaster.server.engine.ApplyAtom.QueueChange;
import io.taskmaster.server.engine.flow.Families;
import io.taskmaster.server.engine.flow.Family;
import io.taskmaster.server.engine.flow.FamilyPattern;
import io.taskmaster.server.engine.flow.FlowSnapshot;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The queues of a partition: by name, in order, and by a small number, the slot, that each has while it is there. One that was told something is
 * there whether or not it holds tasks, but for the time of a replay, in which what is told is kept for the name. Single-threaded: owned by its partition.
 */
public final class Queues {

    private final Map<QueueKey, QueueState> byKey = new HashMap<>();
    private final TreeMap<QueueKey, QueueState> ordered = new TreeMap<>();
    private final List<@Nullable QueueState> bySlot = new ArrayList<>();
    private final ArrayDeque<Integer> freeSlots = new ArrayDeque<>();
    private final Map<QueueKey, QueueOptions> options = new HashMap<>();
    private final Choices choices = new Choices(this);
    private final Families families;
    private final Departed departed = new Departed();
    private final Standings standings = new Standings();
    private long nameBytes;
    private long bytes;

    Queues(Optional<FamilyPattern> pattern) {
        families = new Families(pattern);
    }

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

    /** How many names cost memory: those of queues that hold tasks, or were told something, or are not forgotten yet. */
    public int named() {
        return byKey.size();
    }

    /** How much memory they take while they are idle, with what they were told; about. */
    public long bytes() {
        return bytes + options.size() * QueueBytes.ofOptions();
    }

    /** What more will be {@link #named} once an atom is applied that takes no options back. */
    public Room neededBy(ApplyAtom atom) {
        int more = 0;
        long moreBytes = 0;
        List<QueueChange> changes = atom.queues();
        for (int i = 0; i < changes.size(); i++) {
            QueueKey key = changes.get(i).queue();
            if (!byKey.containsKey(key)) {
                more++;
                moreBytes += bytesOfNew(key);
            }
        }
        for (OptionsChange change : atom.options()) {
            QueueKey key = change.queue();
            if (!change.options().equals(QueueOptions.NONE)) {
                more += byKey.containsKey(key) ? 0 : 1;
                moreBytes += byKey.containsKey(key) ? 0 : bytesOfNew(key);
                moreBytes += options.containsKey(key) ? 0 : QueueBytes.ofOptions();
            }
        }
        return new Room(more, moreBytes);
    }

    /** Of several that begin a group, each counts as if it were the first. */
    private long bytesOfNew(QueueKey key) {
        return QueueBytes.of(key) + (groupmate(key) == null ? QueueBytes.of(key.group()) : 0);
    }

    /**
     * Room for queues.
     *
     * @param queues how many
     * @param bytes how much memory they take while they are idle
     */
    public record Room(int queues, long bytes) {}

    /** The queue in a slot; null if the slot is free. */
    @Nullable
    QueueState at(int slot) {
        return slot < bySlot.size() ? bySlot.get(slot) : null;
    }

    /** How many there are. */
    int size() {
        return byKey.size();
    }

    /** The lengths of all their names. */
    long nameBytes() {
        return nameBytes;
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

    /** In which of them most goes on. */
    Standings standings() {
        return standings;
    }

    /** What is known of some that are not there any more. */
    Departed departed() {
        return departed;
    }

    /** This queue is about to change its sizes. */
    void changing(QueueState queue) {
        choices.changing(queue);
    }

    /** This queue, which was about to, has changed its sizes. */
    void changed(QueueState queue) {
        choices.changed(queue);
    }

    QueueState create(QueueKey named, long generation) {
        QueueKey key = sharingGroup(named);
        if (families.learn(key)) {
            tellFamiliesAgain();
        }
        boolean reused = !freeSlots.isEmpty();
        QueueState queue = new QueueState(
                key,
                families.join(key),
                departed.takeBack(key),
                standings,
                generation,
                reused ? freeSlots.pop() : bySlot.size());
        if (reused) {
            bySlot.set(queue.slot, queue);
        } else {
            bySlot.add(queue);
        }
        queue.options = options(key);
        standings.mark(queue);
        byKey.put(key, queue);
        bytes += bytesOfNew(key);
        ordered.put(key, queue);
        nameBytes += key.name().size();
        return queue;
    }

    private void tellFamiliesAgain() {
        for (QueueState queue : byKey.values()) {
            Family family = families.join(queue.key);
            standings.moves(queue, family);
            queue.countOut();
            queue.family.left();
            queue.family = family;
            queue.countIn();
        }
        families.settled();
    }

    /** How tasks flow between families of them. */
    public FlowSnapshot flow() {
        if (families.reconsider()) {
            tellFamiliesAgain();
        }
        return families.snapshot();
    }

    /** The key, with the group's name that another queue of it has: groups of many queues keep one. */
    private QueueKey sharingGroup(QueueKey key) {
        QueueKey groupmate = groupmate(key);
        return groupmate == null ? key : new QueueKey(groupmate.group(), key.name());
    }

    /** Another queue of the same group; null: there is none. */
    private @Nullable QueueKey groupmate(QueueKey key) {
        QueueKey lower = ordered.lowerKey(key);
        if (lower != null && lower.group().equals(key.group())) {
            return lower;
        }
        QueueKey higher = ordered.higherKey(key);
        return higher != null && higher.group().equals(key.group()) ? higher : null;
    }

    /** The queue is empty, and nothing is left to be known of it. */
    void remove(QueueState queue) {
        byKey.remove(queue.key);
        ordered.remove(queue.key);
        nameBytes -= queue.key.name().size();
        bytes -= bytesOfNew(queue.key);
        standings.removed(queue);
        bySlot.set(queue.slot, null);
        freeSlots.push(queue.slot);
        choices.removed(queue);
        queue.countOut();
        queue.family.left();
        queue.slot = QueueState.NO_SLOT;
        departed.add(queue.key, queue.rates);
    }

    /** The replay is over: who was told something is there from now on. */
    void createTold(long generation) {
        for (QueueKey key : options.keySet()) {
            if (!byKey.containsKey(key)) {
                create(key, generation);
            }
        }
    }

    /** What a queue was told. */
    QueueOptions options(QueueKey key) {
        return options.getOrDefault(key, QueueOptions.NONE);
    }

    void options(QueueKey key, QueueOptions told) {
        QueueState queue = byKey.get(key);
        if (told.equals(QueueOptions.NONE)) {
            options.remove(key);
        } else {
            // The queue's own key: theirs would be a copy.
            options.put(queue == null ? sharingGroup(key) : queue.key, told);
        }
        if (queue != null) {
            choices.changing(queue);
            queue.options = told;
            choices.changed(queue);
            standings.mark(queue);
        }
    }

    @Override
    public String toString() {
        return ordered.values().toString();
    }
}
