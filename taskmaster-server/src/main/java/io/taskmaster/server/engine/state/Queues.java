package io.taskmaster.server.engine.state;

import io.taskmaster.command.QueueOptions;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.command.ApplyAtom;
import io.taskmaster.server.engine.command.ApplyAtom.OptionsChange;
import io.taskmaster.server.engine.command.ApplyAtom.QueueChange;
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
 * The queues of a partition: by name, in order, and by slot, a small number that each has while it is there. A queue
 * with options is there whether or not it holds tasks. During a replay it is not: the options are kept for the name
 * until {@link #createConfigured}. Single-threaded: owned by the partition's loop.
 */
public final class Queues {

    private final Map<QueueKey, QueueState> byKey = new HashMap<>();
    private final TreeMap<QueueKey, QueueState> ordered = new TreeMap<>();
    private final List<@Nullable QueueState> bySlot = new ArrayList<>();
    private final ArrayDeque<Integer> freeSlots = new ArrayDeque<>();
    private final Map<QueueKey, QueueOptions> options = new HashMap<>();
    private final Families families;
    private final RemovedQueueStats removedQueueStats = new RemovedQueueStats();
    private final Observers observers = new Observers();
    private long nameBytes;
    private long bytes;

    Queues(Optional<FamilyPattern> pattern) {
        families = new Families(pattern);
    }

    @Nullable
    public QueueState get(QueueKey key) {
        return byKey.get(key);
    }

    /** All of them, in order of group and name. */
    public Collection<QueueState> all() {
        return ordered.values();
    }

    public NavigableMap<QueueKey, QueueState> ordered() {
        return ordered;
    }

    /**
     * The number of names that cost memory: those of queues that hold tasks, have options, or are not forgotten yet.
     */
    public int named() {
        return byKey.size();
    }

    /** The memory that they take while they are idle, options included, in bytes; an estimate. */
    public long bytes() {
        return bytes + options.size() * QueueBytes.ofOptions();
    }

    /** Returns the growth of {@link #named} and {@link #bytes} by an atom that takes no options back. */
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

    /** Returns the bytes of a new queue. Of several new queues of a new group, each counts as if it were the first. */
    private long bytesOfNew(QueueKey key) {
        return QueueBytes.of(key) + (queueOfSameGroup(key) == null ? QueueBytes.of(key.group()) : 0);
    }

    /**
     * The space that queues need.
     *
     * @param queues the number of queues
     * @param bytes the memory that they take while they are idle
     */
    public record Room(int queues, long bytes) {}

    /** Returns the queue in a slot; null if the slot is free. */
    @Nullable
    public QueueState at(int slot) {
        return slot < bySlot.size() ? bySlot.get(slot) : null;
    }

    /** The number of queues. */
    public int size() {
        return byKey.size();
    }

    /** The sum of the lengths of all their names, in bytes. */
    public long nameBytes() {
        return nameBytes;
    }

    /** The bound of the slots in use: all are below this. */
    public int slots() {
        return bySlot.size();
    }

    /** Adds an observer, which is notified from now on. */
    public void observe(QueueObserver observer) {
        observers.all.add(observer);
    }

    /** The flow of tasks between families of them. */
    public Families families() {
        return families;
    }

    /** The statistics of some queues that are not there any more. */
    public RemovedQueueStats removedQueueStats() {
        return removedQueueStats;
    }

    /** Notifies of a queue that is about to change its sizes. */
    void changing(QueueState queue) {
        observers.changing(queue);
    }

    /** Notifies of a queue that has changed its sizes. */
    void changed(QueueState queue) {
        observers.changed(queue);
    }

    QueueState create(QueueKey named, long generation) {
        QueueKey key = sharingGroup(named);
        // The name comes first: it may change the cut, and then all other queues have to join their families again.
        if (families.add(key)) {
            reassignFamilies();
        }
        boolean reused = !freeSlots.isEmpty();
        QueueState queue = new QueueState(
                key,
                families.join(key),
                removedQueueStats.take(key),
                observers,
                generation,
                reused ? freeSlots.pop() : bySlot.size());
        if (reused) {
            bySlot.set(queue.slot, queue);
        } else {
            bySlot.add(queue);
        }
        queue.options = options(key);
        observers.active(queue);
        byKey.put(key, queue);
        bytes += bytesOfNew(key);
        ordered.put(key, queue);
        nameBytes += key.name().size();
        return queue;
    }

    private void reassignFamilies() {
        for (QueueState queue : byKey.values()) {
            Family family = families.join(queue.key);
            observers.moving(queue, family);
            queue.countOut();
            queue.family.removeQueue();
            queue.family = family;
            queue.countIn();
        }
        families.reassigned();
    }

    /** Returns the flow of tasks between families of them. */
    public FlowSnapshot flow() {
        if (families.reconsider()) {
            reassignFamilies();
        }
        return families.snapshot();
    }

    /**
     * Returns the key with the group's name object of another queue of the group: a group with many queues keeps one
     * copy.
     */
    private QueueKey sharingGroup(QueueKey key) {
        QueueKey queueOfSameGroup = queueOfSameGroup(key);
        return queueOfSameGroup == null ? key : new QueueKey(queueOfSameGroup.group(), key.name());
    }

    /** Returns another queue of the same group; null: there is none. */
    private @Nullable QueueKey queueOfSameGroup(QueueKey key) {
        QueueKey lower = ordered.lowerKey(key);
        if (lower != null && lower.group().equals(key.group())) {
            return lower;
        }
        QueueKey higher = ordered.higherKey(key);
        return higher != null && higher.group().equals(key.group()) ? higher : null;
    }

    /** Removes a queue that is empty and of which nothing is left to be known. */
    void remove(QueueState queue) {
        byKey.remove(queue.key);
        ordered.remove(queue.key);
        nameBytes -= queue.key.name().size();
        bytes -= bytesOfNew(queue.key);
        observers.removing(queue);
        bySlot.set(queue.slot, null);
        freeSlots.push(queue.slot);
        queue.countOut();
        queue.family.removeQueue();
        // The slot goes after everything that finds the queue by it.
        queue.slot = QueueState.NO_SLOT;
        removedQueueStats.add(queue.key, queue.rates);
    }

    /** Ends the replay: queues with options are there from now on. */
    void createConfigured(long generation) {
        for (QueueKey key : options.keySet()) {
            if (!byKey.containsKey(key)) {
                create(key, generation);
            }
        }
    }

    /** The options of a queue. */
    public QueueOptions options(QueueKey key) {
        return options.getOrDefault(key, QueueOptions.NONE);
    }

    void options(QueueKey key, QueueOptions newOptions) {
        QueueState queue = byKey.get(key);
        if (newOptions.equals(QueueOptions.NONE)) {
            options.remove(key);
        } else {
            // The queue's own key is shared: the one passed in would be a copy.
            options.put(queue == null ? sharingGroup(key) : queue.key, newOptions);
        }
        if (queue != null) {
            observers.changing(queue);
            queue.options = newOptions;
            observers.changed(queue);
            observers.active(queue);
        }
    }

    @Override
    public String toString() {
        return ordered.values().toString();
    }

    /** All observers, as one. */
    private static final class Observers implements QueueObserver {

        private final List<QueueObserver> all = new ArrayList<>(2);

        @Override
        public void changing(QueueState queue) {
            for (int i = 0; i < all.size(); i++) {
                all.get(i).changing(queue);
            }
        }

        @Override
        public void changed(QueueState queue) {
            for (int i = 0; i < all.size(); i++) {
                all.get(i).changed(queue);
            }
        }

        @Override
        public void active(QueueState queue) {
            for (int i = 0; i < all.size(); i++) {
                all.get(i).active(queue);
            }
        }

        @Override
        public void moving(QueueState queue, Family to) {
            for (int i = 0; i < all.size(); i++) {
                all.get(i).moving(queue, to);
            }
        }

        @Override
        public void removing(QueueState queue) {
            for (int i = 0; i < all.size(); i++) {
                all.get(i).removing(queue);
            }
        }
    }
}
