package io.taskmaster.stage;

import io.taskmaster.model.GroupName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A builder of a {@link Pipeline}. Single-threaded: owned by its caller. */
public final class PipelineBuilder {

    private final Optional<GroupName> group;
    private final List<Stage<?>> stages = new ArrayList<>();
    private final List<TaskQueue<?>> sinks = new ArrayList<>();

    PipelineBuilder(Optional<GroupName> group) {
        this.group = group;
    }

    /**
     * Adds a stage that works on the tasks of a queue, or of a family of queues.
     *
     * @param settings called at once; it must set a handler
     * @throws IllegalArgumentException if a setting is out of its range, or there is no handler
     */
    public <T> PipelineBuilder stage(TaskQueue<T> input, Consumer<StageBuilder<T>> settings) {
        StageBuilder<T> stage = new StageBuilder<>(input);
        settings.accept(stage);
        stages.add(stage.build());
        return this;
    }

    /**
     * Adds queues that stages hand off to and that no stage of this pipeline leases from: other clients do, or the
     * queues only collect tasks.
     */
    public PipelineBuilder sinks(TaskQueue<?>... queues) {
        sinks.addAll(Arrays.asList(queues));
        return this;
    }

    /**
     * Builds the pipeline.
     *
     * @throws InvalidPipelineException if it cannot work; the message lists every problem
     */
    public Pipeline build() {
        return new Pipeline(group, stages, sinks);
    }
}
