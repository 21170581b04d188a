package io.taskmaster.stage;

import java.util.List;
import java.util.Optional;

/**
 * A step of a pipeline: a queue, and the work on its tasks. Immutable.
 *
 * @param <T> the payload of its tasks
 * @param input the queue or family whose tasks it leases; its name is the name of the stage
 * @param handler the work on a batch of tasks
 * @param finishesLater whether tasks may get their outcomes after the handler has returned
 * @param outputs the queues that hand-offs may name; empty: any queue of the pipeline
 * @param into the sink that all its tasks are offered to, usually a local stage; absent: the handler reports the
 *     outcomes, or arranges them
 * @param settings the settings
 */
public record Stage<T>(
        TaskQueue<T> input,
        BatchHandler<T> handler,
        boolean finishesLater,
        List<TaskQueue<?>> outputs,
        Optional<Sink<? super Flight<T>>> into,
        StageSettings settings) {

    public Stage {
        outputs = List.copyOf(outputs);
    }

    /** The name of the stage, which is that of its queue or family. */
    public String name() {
        return input.name();
    }
}
