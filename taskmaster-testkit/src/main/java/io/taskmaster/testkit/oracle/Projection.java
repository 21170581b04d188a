package io.taskmaster.testkit.oracle;

import io.taskmaster.testkit.oracle.Operation.Updating;
import io.taskmaster.testkit.oracle.QueueHistory.Unassigned;
import io.taskmaster.v1.QueueSelector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A history, seen from its tasks and its queues. What is certain of one task is certain whatever happens to others, so that each can be
 * looked at alone. Single-threaded; not changed once the {@link Projector} has made it.
 */
final class Projection {

    /** What an update does to one of the tasks that it names. */
    record Part(KeyHistory key, KeyOperation operation) {}

    /**
     * An update that does several things.
     *
     * @param unseen what it enqueues, if it was applied, and what nobody ever saw
     */
    record Atomic(Updating update, List<Part> parts, List<Unassigned> unseen) {}

    final Payloads payloads = new Payloads();
    final Map<TaskKey, KeyHistory> keys = new LinkedHashMap<>();
    final Map<QueueId, QueueHistory> queues = new LinkedHashMap<>();
    final List<Atomic> atomics = new ArrayList<>();
    private final Map<QueueSelector, List<QueueHistory>> chosen = new HashMap<>();

    KeyHistory key(TaskKey key) {
        KeyHistory known = keys.get(key);
        if (known == null) {
            known = new KeyHistory(key);
            keys.put(key, known);
            queue(key.queue()).keys.add(known);
        }
        return known;
    }

    QueueHistory queue(QueueId id) {
        return queues.computeIfAbsent(id, QueueHistory::new);
    }

    /** The queues of the history that a selector chooses; to be asked when all are known. */
    List<QueueHistory> chosen(QueueSelector selector) {
        return chosen.computeIfAbsent(selector, this::choose);
    }

    private List<QueueHistory> choose(QueueSelector selector) {
        Selection selection = Selection.of(selector);
        return queues.values().stream()
                .filter(queue -> selection.chooses(queue.id()))
                .toList();
    }
}
