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
 * Stages that hand tasks to each other, all in one consistency group, because every hand-off is one update; or the same stages in every
 * group, where a task never leaves its own. It says what is done; a {@link io.taskmaster.stage.worker.Worker} does it. A process may run
 * some of the stages only. Immutable.
 *
 * @param group absent: every group
 * @param sinks queues that stages hand off to and that no stage of this pipeline works on
 */
public record Pipeline(Optional<GroupName> group, List<Stage<?>> stages, List<TaskQueue<?>> sinks) {

    /**
     * @throws InvalidPipelineException if it cannot work; the message names everything that is wrong
     */
    public Pipeline {
        stages = List.copyOf(stages);
        sinks = List.copyOf(sinks);
        List<String> problems = Validation.problems(stages, sinks);
        if (!problems.isEmpty()) {
            throw new InvalidPipelineException(problems);
        }
    }

    /** Starts a pipeline in one group. */
    public static PipelineBuilder in(GroupName group) {
        return new PipelineBuilder(Optional.of(group));
    }

    /** Starts a pipeline in one group. */
    public static PipelineBuilder in(String group) {
        return in(GroupName.of(group));
    }

    /** Starts a pipeline in each group that has tasks for it. */
    public static PipelineBuilder inAllGroups() {
        return new PipelineBuilder(Optional.empty());
    }

    /**
     * Some of its stages, for a process that runs no others; those are sinks to it.
     *
     * @param names of stages
     */
    public Pipeline only(String... names) {
        Set<String> wanted = Set.of(names);
        List<Stage<?>> here = new ArrayList<>();
        List<TaskQueue<?>> elsewhere = new ArrayList<>(sinks);
        for (Stage<?> stage : stages) {
            if (wanted.contains(stage.name())) {
                here.add(stage);
            } else {
                elsewhere.add(stage.input());
            }
        }
        if (here.size() < wanted.size()) {
            throw new IllegalArgumentException("stages: %s (expected: some of %s)"
                    .formatted(wanted, stages.stream().map(Stage::name).toList()));
        }
        return new Pipeline(group, here, elsewhere);
    }

    /**
     * Where the hand-offs of a stage may go: to the queues that it {@linkplain StageBuilder#to names}, or, if it names none, to any queue of the pipeline.
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
     * Its stages and sinks, as a picture. The local stages that they lead {@linkplain StageBuilder#into into} are missing, until their own picture is
     * {@linkplain StageGraph#and(StageGraph) added}.
     */
    public StageGraph graph() {
        List<Node> nodes = new ArrayList<>();
        List<Node> entrances = new ArrayList<>();
        List<Edge> edges = new ArrayList<>();
        for (Stage<?> stage : stages) {
            String from = stage.input().toString();
            nodes.add(new Node(from, Kind.STAGE));
            stage.outputs().forEach(to -> edges.add(new Edge(from, to.toString())));
            stage.into().ifPresent(sink -> {
                Node first = new Node("local stages of " + from, Kind.MISSING, Optional.of(sink));
                entrances.add(first);
                edges.add(new Edge(from, first.name()));
            });
        }
        sinks.forEach(sink -> nodes.add(new Node(sink.toString(), Kind.QUEUE)));
        nodes.addAll(entrances);
        return StageGraph.of(nodes.stream().distinct().toList(), edges);
    }

    /**
     * Puts tasks into its queues from outside: an update for a client to send.
     *
     * @param tasks each with a PID of its own, or {@linkplain NewTask#last last}
     * @throws IllegalStateException if the pipeline runs in all groups
     */
    public Update update(NewTask<?>... tasks) {
        UpdateBuilder update = Update.in(group.orElseThrow(() -> new IllegalStateException(
                "pipeline: in all groups (expected: in one; else build the update for yours)")));
        for (NewTask<?> task : tasks) {
            if (task.place() instanceof NewTask.Place.Same) {
                throw new IllegalArgumentException(
                        "task for %s: no PID (expected: at(...) or last())".formatted(task.name()));
            }
            update.enqueue(task.enqueue(Pid.EMPTY));
        }
        return update.build();
    }
}
