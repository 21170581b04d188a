package io.taskmaster.server.engine.decide;

import io.taskmaster.server.engine.command.ApplyAtom;
import io.taskmaster.server.engine.command.ApplyAtom.QueueChange;
import io.taskmaster.server.engine.command.ApplyAtom.TaskChange;
import io.taskmaster.server.engine.command.Enqueued;
import io.taskmaster.server.engine.command.Sizes;
import io.taskmaster.server.engine.state.PartitionState;
import io.taskmaster.server.engine.state.QueueState;
import io.taskmaster.server.engine.state.Task;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The step that moves delayed tasks whose not-before time has passed to their places among those that may be leased
 * ({@code docs/adr/0007-delays-reruns-and-what-atoms-say.md}). Stateless.
 */
final class Activation {

    private Activation() {}

    /**
     * Decides the move of some of them, in order of time.
     *
     * @param maxBytes bound on their data, for all but the first
     * @return null if there are none
     */
    static @Nullable ApplyAtom decide(PartitionState state, int maxTasks, long maxBytes) {
        Map<QueueState, List<TaskChange>> moves = new LinkedHashMap<>();
        long bytes = 0;
        for (Task task : state.due(maxTasks)) {
            bytes += task.costBytes();
            if (bytes > maxBytes && !moves.isEmpty()) {
                break;
            }
            moves.computeIfAbsent(task.queue(), _ -> new ArrayList<>()).add(moved(task));
        }
        List<QueueChange> changes = new ArrayList<>(moves.size());
        moves.forEach((queue, tasks) -> changes.add(new QueueChange(
                queue.key(),
                queue.generation(),
                false,
                new Sizes(queue.available() + tasks.size(), queue.leased(), queue.delayed() - tasks.size()),
                queue.maxFifo(),
                tasks)));
        return changes.isEmpty() ? null : new ApplyAtom(state.lastTicket() + 1, changes);
    }

    private static TaskChange moved(Task task) {
        Enqueued data = task.data();
        if (data == null || !task.knowsRerun()) {
            throw new IllegalStateException("task: " + task + " (expected: known as a whole while it is due)");
        }
        return new ApplyAtom.Move(task.pid(), data.notBefore(0), task.attempt(), task.rerun());
    }
}
