package io.taskmaster.stage;

import java.util.List;
import java.util.Optional;

/**
 * One step of a pipeline. Immutable.
 *
 * @param input whose tasks it works on; its name is the stage's
 * @param handler of some tasks at a time
 * @param finishesLater whether tasks may get their outcomes after the handler has returned
 * @param outputs where its hand-offs go; none: to any queue of the pipeline
 * @param into what its tasks go into, a local stage most often; absent: its handler has the outcomes, or they come from elsewhere
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

    public String name() {
        return input.name();
    }
}
