package io.taskmaster.server.engine.state;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * The delayed tasks whose not-before time has passed, in order of time, until they are moved to their places. A
 * deletion does not search them for tasks of its queue: those of dead generations are passed over, and dropped once
 * they are at the head. Single-threaded: owned by the partition's state.
 */
final class DueTasks {

    private final LinkedHashSet<Task> tasks = new LinkedHashSet<>();

    void add(Task task) {
        tasks.add(task);
    }

    void remove(Task task) {
        tasks.remove(task);
    }

    /** The number of tasks, those of dead generations included. */
    int size() {
        return tasks.size();
    }

    /** Returns the first tasks of living generations. */
    List<Task> first(int max) {
        List<Task> first = new ArrayList<>(Math.min(max, tasks.size()));
        for (Iterator<Task> each = tasks.iterator(); each.hasNext() && first.size() < max; ) {
            Task task = each.next();
            if (isLive(task)) {
                first.add(task);
            }
        }
        return first;
    }

    /** Drops tasks of dead generations from the head; called after each change, so that the first one is alive. */
    void dropDead() {
        while (!tasks.isEmpty() && !isLive(tasks.getFirst())) {
            tasks.removeFirst();
        }
    }

    private static boolean isLive(Task task) {
        return task.generation == task.queue.generation;
    }
}
