package io.taskmaster.stage;

import io.taskmaster.model.GroupName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Gathers the stages of a {@link Pipeline}. Single-threaded: owned by whoever builds. */
public final class PipelineBuilder {

    private final Optional<GroupName> group;
    private final List<Stage<?>> stages = new ArrayList<>();
    private final List<TaskQueue<?>> sinks = new ArrayList<>();

    PipelineBuilder(Optional<GroupName> group) {
        this.group = group;
    }

    /**
     * A stage that works on the tasks of a queue, or of a family of queues.
     *
     * @param settings called at once; has to name a handler
     */
    public <T> PipelineBuilder stage(TaskQueue<T> input, Consumer<StageBuilder<T>> settings) {
        StageBuilder<T> stage = new StageBuilder<>(input);
        settings.accept(stage);
        stages.add(stage.build());
        return this;
    }

    /** Queues that stages hand off to and that no stage of this pipeline works on: somebody else does, or they just keep what they get. */
    public PipelineBuilder sinks(TaskQueue<?>... queues) {
        sinks.addAll(Arrays.asList(queues));
        return this;
    }

    /**
     * @throws InvalidPipelineException if it cannot work; the message names everything that is wrong
     */
    public Pipeline build() {
        return new Pipeline(group, stages, sinks);
    }
}
