package io.taskmaster.stage;

import io.taskmaster.client.Update;
import io.taskmaster.client.UpdateBuilder;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.stage.StageGraph.Edge;
import io.taskmaster.stage.StageGraph.Kind;
import io.taskmaster.stage.StageGraph.Node;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A set of stages that hand tasks to each other. All its queues are in one consistency group, because every hand-off is
 * one update; or the same stages run in every group, where a task never leaves its own. The pipeline is a description;
 * a {@link io.taskmaster.stage.worker.Worker} runs it. A process may run some of the stages only. Immutable.
 *
 * @param group the consistency group; absent: every group
 * @param stages the stages
 * @param sinks the queues that stages hand off to and that no stage of this pipeline leases from
 */
public record Pipeline(Optional<GroupName> group, List<Stage<?>> stages, List<TaskQueue<?>> sinks) {

    /** @throws InvalidPipelineException if it cannot work; the message lists every problem */
    public Pipeline {
        stages = List.copyOf(stages);
        sinks = List.copyOf(sinks);
        List<String> problems = Validation.problems(stages, sinks);
        if (!problems.isEmpty()) {
            throw new InvalidPipelineException(problems);
        }
    }

    /** Starts to build a pipeline in one group. */
    public static PipelineBuilder in(GroupName group) {
        return new PipelineBuilder(Optional.of(group));
    }

    /** Starts to build a pipeline in one group. */
    public static PipelineBuilder in(String group) {
        return in(GroupName.of(group));
    }

    /** Starts to build a pipeline that runs in each group that has tasks for it. */
    public static PipelineBuilder inAllGroups() {
        return new PipelineBuilder(Optional.empty());
    }

    /**
     * Returns the pipeline of some of the stages, for a process that runs no others. The queues of the others become
     * sinks.
     *
     * @param names the names of stages
     * @throws IllegalArgumentException if there is no such stage
     */
    public Pipeline only(String... names) {
        Set<String> requested = Set.of(names);
        List<Stage<?>> selected = new ArrayList<>();
        List<TaskQueue<?>> elsewhere = new ArrayList<>(sinks);
        for (Stage<?> stage : stages) {
            if (requested.contains(stage.name())) {
                selected.add(stage);
            } else {
                elsewhere.add(stage.input());
            }
        }
        if (selected.size() < requested.size()) {
            throw new IllegalArgumentException("stages: %s (expected: a subset of %s)"
                    .formatted(requested, stages.stream().map(Stage::name).toList()));
        }
        return new Pipeline(group, selected, elsewhere);
    }

    /**
     * Returns the queues that hand-offs of a stage may name: those that it {@linkplain StageBuilder#to declares}, or
     * any queue of the pipeline if it declares none.
     */
    public Set<TaskQueue<?>> targets(Stage<?> stage) {
        Set<TaskQueue<?>> targets = new HashSet<>(stage.outputs());
        if (targets.isEmpty()) {
            stages.forEach(each -> targets.add(each.input()));
            targets.addAll(sinks);
        }
        return targets;
    }

    /**
     * Returns the graph of the stages and sinks. The local stages that stages lead {@linkplain StageBuilder#into into}
     * are missing until their own graph is {@linkplain StageGraph#and(StageGraph) added}.
     */
    public StageGraph graph() {
        List<Node> nodes = new ArrayList<>();
        List<Node> inputs = new ArrayList<>();
        List<Edge> edges = new ArrayList<>();
        for (Stage<?> stage : stages) {
            String from = stage.input().toString();
            nodes.add(new Node(from, Kind.STAGE));
            stage.outputs().forEach(to -> edges.add(new Edge(from, to.toString())));
            stage.into().ifPresent(sink -> {
                Node first = new Node("local stages of " + from, Kind.MISSING, Optional.of(sink));
                inputs.add(first);
                edges.add(new Edge(from, first.name()));
            });
        }
        sinks.forEach(sink -> nodes.add(new Node(sink.toString(), Kind.QUEUE)));
        nodes.addAll(inputs);
        return StageGraph.of(nodes.stream().distinct().toList(), edges);
    }

    /**
     * Returns the update that enqueues tasks from outside the pipeline, for a client to send.
     *
     * @param tasks the tasks, each with a PID of its own, or {@linkplain NewTask#last last}
     * @throws IllegalStateException if the pipeline runs in all groups
     * @throws IllegalArgumentException if a task has no place of its own
     */
    public Update update(NewTask<?>... tasks) {
        UpdateBuilder update = Update.in(
                group.orElseThrow(
                        () -> new IllegalStateException(
                                "pipeline: in all groups (expected: a pipeline in one group; otherwise build the update with Update.in)")));
        for (NewTask<?> task : tasks) {
            if (task.place() instanceof NewTask.Place.Same) {
                throw new IllegalArgumentException(
                        "task for %s: no PID (expected: a call of at(...) or last())".formatted(task.name()));
            }
            update.enqueue(task.enqueue(Pid.EMPTY));
        }
        return update.build();
    }
}
