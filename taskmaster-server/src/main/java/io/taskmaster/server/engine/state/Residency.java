package io.taskmaster.server.engine.state;

import io.taskmaster.model.Pid;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The memory budget of a partition: which entries stay resident and which are evicted (paper sections 5.4.1 and 5.4.3).
 * Single-threaded: owned by the partition's loop.
 *
 * <p>State: the bytes of all entries, the queues in order of last use ({@code byLastUse}, idle longest first), and the
 * entries that wait for a read to end ({@code settling}).
 *
 * <p>An entry can leave memory only if
 *
 * <ul>
 *   <li>it is clean: no change is outstanding and no round has it;
 *   <li>it is not pinned by a parked command;
 *   <li>no read is in flight that began before it became clean. The result of such a read may show an older value, and
 *       the entry is what refutes it.
 * </ul>
 *
 * An entry that only a read keeps waits in {@code settling}. Entries are appended in the order in which they became
 * clean, except for those that were pinned meanwhile. {@link #readsChanged} looks only at the head, so an entry may
 * wait behind one that has to wait longer, which is safe.
 *
 * <p>{@link #settle} decides for an entry that can leave: one that says "no such task" goes; a delayed task goes,
 * unless its time has come and it waits for its move; a task beyond the window goes; a task within the window stays,
 * but drops its data if it is leased.
 *
 * <p>{@link #evict} frees memory when the partition is over its budget. It shortens windows from the tail, where the
 * low priorities are, so that what remains is a contiguous head. The queues idle longest go first; the one used last
 * keeps {@link EngineSettings#minWindowTasks}. Where leased tasks are the majority in memory, they are evicted before:
 * the time index remembers them, and the window keeps its available tasks
 * ({@code docs/adr/0002-three-bounds-of-a-window.md}).
 *
 * <p>Invariant: {@code bytes} is the sum of {@link QueueState#residentBytes}, which is the sum of
 * {@link Task#residentBytes} over the entries in the queue's map.
 */
final class Residency {

    private final EngineSettings settings;
    private final TimeIndex times;
    private final LinkedHashSet<QueueState> byLastUse = new LinkedHashSet<>();
    private final ArrayDeque<Task> settling = new ArrayDeque<>();

    private long bytes;

    /** The id of the oldest read in flight; {@link Long#MAX_VALUE} if there is none. */
    private long oldestRead = Long.MAX_VALUE;

    Residency(EngineSettings settings, TimeIndex times) {
        this.settings = settings;
        this.times = times;
    }

    long bytes() {
        return bytes;
    }

    /** Accounts for an entry. To be called whenever a task in its queue's map may have another size. */
    void account(Task task) {
        long cost = task.costBytes();
        if (task.residentBytes == 0) {
            // This leaves a queue that is there in its place: an entry more is no use of the queue.
            byLastUse.add(task.queue);
        }
        bytes += cost - task.residentBytes;
        task.queue.residentBytes += cost - task.residentBytes;
        task.residentBytes = cost;
    }

    /** Notes that the queue is in use: its window is evicted last. */
    void touch(QueueState queue) {
        if (byLastUse.isEmpty() || byLastUse.getLast() != queue) {
            // This moves a queue that is in the set already.
            byLastUse.addLast(queue);
        }
    }

    /** Accounts for a queue that has left memory as a whole. */
    void dropped(QueueState queue) {
        bytes -= queue.residentBytes;
        queue.residentBytes = 0;
        byLastUse.remove(queue);
    }

    /** Removes the entry from its queue's map. The window is left as it is. */
    void remove(Task task) {
        task.queue.remove(task);
        bytes -= task.residentBytes;
        task.queue.residentBytes -= task.residentBytes;
        task.residentBytes = 0;
    }

    /** Notes that a read began or ended, and settles the entries that waited for it. */
    void readsChanged(long oldestReadId) {
        oldestRead = oldestReadId;
        while (!settling.isEmpty() && settling.peekFirst().cleanSinceRead < oldestRead) {
            settle(settling.pollFirst());
        }
    }

    /** Returns whether no read, in flight or to come, can show an older value of the task than its row has now. */
    boolean isSettled(Task task) {
        return !task.inRound && task.cleanSinceRead < oldestRead;
    }

    /** Drops what need not stay of an entry that became clean, or that no command waits for any more. */
    void settle(Task task) {
        QueueState queue = task.queue;
        // The entry may have been superseded since it was queued: by a new generation or by another object with its
        // PID.
        if (task.generation != queue.generation
                || queue.tasks.get(task.pid) != task
                || !task.isClean()
                || task.pins > 0) {
            return;
        }
        if (task.cleanSinceRead >= oldestRead) {
            settling.addLast(task);
            return;
        }
        if (!task.present) {
            remove(task);
        } else if (task.isDelayed()) {
            // Once its time has come it stays until it is moved to its place.
            if (!task.counted) {
                drop(task);
            }
        } else if (!queue.window.covers(task.pid)) {
            drop(task);
        } else {
            dropData(task);
        }
    }

    /** Drops the data of a leased task and its rerun: neither is needed until the lease ends, and its row has both. */
    private void dropData(Task task) {
        if ((task.data != null && !task.isReady()) || task.rerun != null) {
            task.data = task.isReady() ? task.data : null;
            task.rerun = null;
            account(task);
        }
    }

    /** Evicts this many bytes, from the queues idle longest first. */
    void evict(long target) {
        long goal = bytes - target;
        Iterator<QueueState> idlest = byLastUse.iterator();
        while (idlest.hasNext() && bytes > goal) {
            QueueState queue = idlest.next();
            boolean inUse = !idlest.hasNext();
            long pendingBytes = evictFrom(queue, bytes - goal, inUse ? settings.minWindowTasks() : 0);
            // Bytes that the next round frees count as freed, or every call would shorten further windows for them.
            goal += pendingBytes;
            if (queue.tasks.isEmpty()) {
                idlest.remove();
            }
        }
    }

    /**
     * Shortens a window from its tail, where the low priorities are; a contiguous head remains. Where leased tasks are
     * the majority, they go first: their rows in the time index remember them.
     *
     * @return bytes that are going to be free when the next round is complete
     */
    private long evictFrom(QueueState queue, long target, int keep) {
        long before = bytes;
        if (queue.ready.size() * 2L < queue.live) {
            evictLeased(queue, target);
        }
        long pendingBytes = 0;
        Task firstKept = nthReady(queue, keep);
        Task last = lastCovered(queue);
        while (last != null && last != firstKept && before - bytes + pendingBytes < target) {
            Task task = last;
            // Found before the task leaves the map.
            last = previous(queue, task);
            if (!task.present || task.isDelayed()) {
                continue;
            }
            if (isEvictable(task)) {
                drop(task);
            } else {
                // It cannot go yet, but it is out of the window now: settle evicts it as soon as its row is durable.
                queue.window.missesFrom(task.pid);
                pendingBytes += task.residentBytes;
            }
        }
        return pendingBytes;
    }

    private void evictLeased(QueueState queue, long target) {
        long goal = bytes - target;
        Iterator<Map.Entry<Pid, Task>> entries = queue.tasks.entrySet().iterator();
        while (entries.hasNext() && bytes > goal) {
            Task task = entries.next().getValue();
            if (task.isLeased() && !task.counted && isEvictable(task)) {
                // Through the iterator, which would fail at its next step if drop removed the entry.
                entries.remove();
                drop(task);
            }
        }
    }

    private boolean isEvictable(Task task) {
        return task.isClean() && task.pins == 0 && task.cleanSinceRead < oldestRead;
    }

    private void drop(Task task) {
        QueueState queue = task.queue;
        if (task.isReady()) {
            queue.withdraw(task);
            if (queue.window.covers(task.pid)) {
                queue.window.missesFrom(task.pid);
            }
        } else if (task.isDelayed()) {
            times.evicted(task);
            queue.liveDelayed--;
        } else {
            times.evicted(task);
            if (queue.window.covers(task.pid)) {
                queue.window.forgotLeased(task.pid);
            }
        }
        queue.live--;
        remove(task);
    }

    /** Returns the last of this many tasks at the head; null for 0. */
    private static @Nullable Task nthReady(QueueState queue, int count) {
        Task nth = null;
        Iterator<Task> head = queue.ready.values().iterator();
        for (int i = 0; i < count && head.hasNext(); i++) {
            nth = head.next();
        }
        return nth;
    }

    private static @Nullable Task lastCovered(QueueState queue) {
        var missing = queue.window.firstMissing();
        var entry = missing == null ? queue.tasks.lastEntry() : queue.tasks.lowerEntry(missing);
        return entry == null ? null : entry.getValue();
    }

    private static @Nullable Task previous(QueueState queue, Task task) {
        var entry = queue.tasks.lowerEntry(task.pid);
        return entry == null ? null : entry.getValue();
    }
}
