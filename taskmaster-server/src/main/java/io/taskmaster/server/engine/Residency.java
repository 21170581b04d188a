package io.taskmaster.server.engine;

import io.taskmaster.model.Pid;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What stays in memory, and what is given up (paper sections 5.4.1 and 5.4.3). Single-threaded: owned by its partition.
 *
 * <p>Only clean entries can go, and only when no read is under way that began before they became clean: its result could show an
 * older value, and the entry is what refutes it. Entries that would go but for such a read wait in {@code settling}, in the order in
 * which they became clean.
 */
final class Residency {

    private final EngineSettings settings;
    private final TimeIndex times;
    private final LinkedHashSet<QueueState> byLastUse = new LinkedHashSet<>();
    private final ArrayDeque<Task> settling = new ArrayDeque<>();

    private long bytes;

    /** The id of the oldest read under way; {@link Long#MAX_VALUE} if there is none. */
    private long oldestRead = Long.MAX_VALUE;

    Residency(EngineSettings settings, TimeIndex times) {
        this.settings = settings;
        this.times = times;
    }

    long bytes() {
        return bytes;
    }

    /** To be called whenever a task in its queue's map may have another size. */
    void account(Task task) {
        long cost = task.costBytes();
        if (task.residentBytes == 0) {
            byLastUse.add(task.queue);
        }
        bytes += cost - task.residentBytes;
        task.queue.residentBytes += cost - task.residentBytes;
        task.residentBytes = cost;
    }

    /** The queue is being used: its window goes last. */
    void touch(QueueState queue) {
        if (byLastUse.isEmpty() || byLastUse.getLast() != queue) {
            byLastUse.addLast(queue);
        }
    }

    /** The whole queue has left memory. */
    void dropped(QueueState queue) {
        bytes -= queue.residentBytes;
        queue.residentBytes = 0;
        byLastUse.remove(queue);
    }

    /** Takes the entry out of its queue's map, without a word about windows. */
    void remove(Task task) {
        task.queue.letGo(task);
        bytes -= task.residentBytes;
        task.queue.residentBytes -= task.residentBytes;
        task.residentBytes = 0;
    }

    /** A read began or ended. */
    void readsChanged(long oldestReadId) {
        oldestRead = oldestReadId;
        while (!settling.isEmpty() && settling.peekFirst().cleanSinceRead < oldestRead) {
            settle(settling.pollFirst());
        }
    }

    /** Whether no read under way, and none that will begin, can show an older value of the task than its row has now. */
    boolean isSettled(Task task) {
        return !task.inRound && task.cleanSinceRead < oldestRead;
    }

    /** The task became clean, or nobody waits for it any more: lets go of what need not stay. */
    void settle(Task task) {
        QueueState queue = task.queue;
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
            // Once its time has come it stays, until it is moved to its place.
            if (!task.counted) {
                giveUp(task);
            }
        } else if (!queue.window.covers(task.pid)) {
            giveUp(task);
        } else {
            letGoOfData(task);
        }
    }

    /** Nobody needs the data of a leased task, nor what is remembered beside it: their row has them. */
    private void letGoOfData(Task task) {
        if ((task.data != null && !task.isReady()) || task.rerun != null) {
            task.data = task.isReady() ? task.data : null;
            task.rerun = null;
            account(task);
        }
    }

    /** Gives up so many bytes, of the queues idle longest first. */
    void evict(long target) {
        long goal = bytes - target;
        Iterator<QueueState> idlest = byLastUse.iterator();
        while (idlest.hasNext() && bytes > goal) {
            QueueState queue = idlest.next();
            boolean inUse = !idlest.hasNext();
            long promised = evictFrom(queue, bytes - goal, inUse ? settings.minWindowTasks() : 0);
            goal += promised;
            if (queue.tasks.isEmpty()) {
                idlest.remove();
            }
        }
    }

    /**
     * Shortens a window from its tail, where the low priorities are; what remains is a contiguous head. Where leases fill most of it,
     * they go instead: their rows remember them.
     *
     * @return bytes that are going to be free when the next round is complete
     */
    private long evictFrom(QueueState queue, long target, int keep) {
        long before = bytes;
        if (queue.ready.size() * 2L < queue.live) {
            evictLeased(queue, target);
        }
        long promised = 0;
        Task kept = nthReady(queue, keep);
        Task last = lastCovered(queue);
        while (last != null && last != kept && before - bytes + promised < target) {
            Task task = last;
            last = previous(queue, task);
            if (!task.present || task.isDelayed()) {
                continue;
            }
            if (canGo(task)) {
                giveUp(task);
            } else {
                queue.window.missesFrom(task.pid);
                promised += task.residentBytes;
            }
        }
        return promised;
    }

    private void evictLeased(QueueState queue, long target) {
        long goal = bytes - target;
        Iterator<Map.Entry<Pid, Task>> entries = queue.tasks.entrySet().iterator();
        while (entries.hasNext() && bytes > goal) {
            Task task = entries.next().getValue();
            if (task.isLeased() && !task.counted && canGo(task)) {
                entries.remove();
                giveUp(task);
            }
        }
    }

    private boolean canGo(Task task) {
        return task.isClean() && task.pins == 0 && task.cleanSinceRead < oldestRead;
    }

    private void giveUp(Task task) {
        QueueState queue = task.queue;
        if (task.isReady()) {
            queue.offerNoMore(task);
            if (queue.window.covers(task.pid)) {
                queue.window.missesFrom(task.pid);
            }
        } else if (task.isDelayed()) {
            times.gaveUp(task);
            queue.liveDelayed--;
        } else {
            times.gaveUp(task);
            if (queue.window.covers(task.pid)) {
                queue.window.forgotLeased(task.pid);
            }
        }
        queue.live--;
        remove(task);
    }

    /** The last of so many tasks at the head; null for none. */
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
