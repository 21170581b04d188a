package io.taskmaster.testkit.oracle.model;

import io.taskmaster.testkit.oracle.model.QueueHistory.Unassigned;
import io.taskmaster.testkit.oracle.model.RecordedOperation.Updating;
import io.taskmaster.v1.QueueSelector;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A history as seen by its tasks and its queues. Each task can be explained alone: certain facts about it hold whatever
 * happens to others. Single-threaded; not changed after the {@link Projector} has built it.
 */
public final class Projection {

    /** The effect of an update on one of the tasks that it names. */
    public record Part(KeyHistory key, KeyOperation operation) {}

    /**
     * An update that concerns several tasks.
     *
     * @param unseen its enqueues, if it was applied, that no operation ever saw
     */
    public record Atomic(Updating update, List<Part> parts, List<Unassigned> unseen) {}

    final Payloads payloads = new Payloads();
    public final Map<TaskKey, KeyHistory> keys = new LinkedHashMap<>();
    public final Map<QueueId, QueueHistory> queues = new LinkedHashMap<>();
    public final List<Atomic> atomics = new ArrayList<>();
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

    public QueueHistory queue(QueueId id) {
        return queues.computeIfAbsent(id, QueueHistory::new);
    }

    /** Returns the queues of the history that a selector chooses. Cached: call it only when all queues are known. */
    public List<QueueHistory> chosen(QueueSelector selector) {
        return chosen.computeIfAbsent(selector, this::choose);
    }

    private List<QueueHistory> choose(QueueSelector selector) {
        OperationSelection operationSelection = OperationSelection.of(selector);
        return queues.values().stream()
                .filter(queue -> operationSelection.chooses(queue.id()))
                .toList();
    }
}
