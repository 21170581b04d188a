package io.taskmaster.stage;

import java.util.List;

/**
 * One step of a pipeline. Immutable.
 *
 * @param input whose tasks it works on; its name is the stage's
 * @param handler of some tasks at a time
 * @param finishesLater whether tasks may get their outcomes after the handler has returned
 * @param outputs where its hand-offs go
 */
public record Stage<T>(
        TaskQueue<T> input,
        BatchHandler<T> handler,
        boolean finishesLater,
        List<TaskQueue<?>> outputs,
        StageSettings settings) {

    public Stage {
        outputs = List.copyOf(outputs);
    }

    public String name() {
        return input.name();
    }
}
