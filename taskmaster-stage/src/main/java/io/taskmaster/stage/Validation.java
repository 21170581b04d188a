package io.taskmaster.stage;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A check of a pipeline for problems. Pure. */
final class Validation {

    private final List<Stage<?>> stages;
    private final List<TaskQueue<?>> sinks;
    private final List<String> problems = new ArrayList<>();

    private Validation(List<Stage<?>> stages, List<TaskQueue<?>> sinks) {
        this.stages = stages;
        this.sinks = sinks;
    }

    /** Returns the messages of all problems; empty if there is none. */
    static List<String> problems(List<Stage<?>> stages, List<TaskQueue<?>> sinks) {
        Validation validation = new Validation(stages, sinks);
        validation.inputs();
        validation.outputs();
        validation.meanings();
        validation.leases();
        return validation.problems;
    }

    private void inputs() {
        if (stages.isEmpty()) {
            problems.add("stages: none (expected: one or more)");
        }
        for (int i = 0; i < stages.size(); i++) {
            for (int j = 0; j < i; j++) {
                TaskQueue<?> one = stages.get(j).input();
                TaskQueue<?> other = stages.get(i).input();
                if (one == other || one.name().equals(other.name())) {
                    problems.add(
                            "stages %s and %s: the same name (expected: one stage per name)".formatted(one, other));
                }
            }
        }
    }

    private void outputs() {
        for (Stage<?> stage : stages) {
            for (TaskQueue<?> output : stage.outputs()) {
                boolean known = sinks.contains(output)
                        || stages.stream().anyMatch(other -> other.input().overlaps(output));
                if (!known) {
                    problems.add("stage %s: hands off to %s (expected: a stage of this pipeline, or one of its sinks)"
                            .formatted(stage.name(), output));
                }
            }
        }
    }

    /**
     * Checks that each queue belongs to one constant: two may have two codecs, and one stage could not decode the tasks
     * of the other.
     */
    private void meanings() {
        Set<TaskQueue<?>> queues = new LinkedHashSet<>();
        stages.forEach(stage -> queues.add(stage.input()));
        queues.addAll(sinks);
        stages.forEach(stage -> queues.addAll(stage.outputs()));
        List<TaskQueue<?>> each = List.copyOf(queues);
        for (int i = 0; i < each.size(); i++) {
            for (int j = 0; j < i; j++) {
                if (each.get(i).overlaps(each.get(j))) {
                    problems.add(
                            "queues %s and %s: overlapping queues, possibly of different types (expected: one TaskQueue constant per queue)"
                                    .formatted(each.get(j), each.get(i)));
                }
            }
        }
    }

    private void leases() {
        for (Stage<?> stage : stages) {
            Duration lease = stage.settings().lease();
            Duration wait = stage.settings().longestWait();
            if (lease.compareTo(wait) < 0) {
                problems.add(
                        "stage %s: lease %s, but prefetched tasks may wait for %s (expected: a longer lease, or a smaller prefetch)"
                                .formatted(stage.name(), lease, wait));
            }
        }
    }
}
