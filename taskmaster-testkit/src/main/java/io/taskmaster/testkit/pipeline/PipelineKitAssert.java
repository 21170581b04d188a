package io.taskmaster.testkit.pipeline;

import io.taskmaster.client.QueueSummary;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.stage.TaskQueue;
import io.taskmaster.testkit.pipeline.Commit.Ending.HandOff;
import io.taskmaster.testkit.pipeline.Commit.Target;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractAssert;

/** Assertions on the events of a kit. A failure shows the commits. */
public final class PipelineKitAssert extends AbstractAssert<PipelineKitAssert, PipelineKit> {

    /** The identity of a task. */
    private record TaskId(QueueKey queue, Pid pid) {
        @Override
        public String toString() {
            return KitEvent.task(queue, pid);
        }
    }

    PipelineKitAssert(PipelineKit actual) {
        super(actual, PipelineKitAssert.class);
    }

    /** Verifies that no stage has a task. */
    public PipelineKitAssert isIdle() {
        isNotNull();
        List<QueueSummary> waiting = actual.waiting();
        return require(waiting.isEmpty(), "no task left for a stage, but there are " + waiting);
    }

    /**
     * Verifies that every task that left this queue was handed off exactly once, regardless of the number of attempts.
     */
    public PipelineKitAssert handedOffOnce(TaskQueue<?> from) {
        isNotNull();
        Map<TaskId, Integer> handOffs = new HashMap<>();
        applied(from)
                .forEach(commit -> handOffs.merge(
                        new TaskId(commit.queue(), commit.pid()),
                        commit.ending() instanceof HandOff ? 1 : 0,
                        Integer::sum));
        List<TaskId> others = handOffs.entrySet().stream()
                .filter(task -> task.getValue() != 1)
                .map(Map.Entry::getKey)
                .toList();
        return require(!handOffs.isEmpty(), "hand-offs from " + from)
                .require(
                        others.isEmpty(),
                        "exactly one hand-off of each task of %s, but not of %s".formatted(from, others));
    }

    /**
     * Verifies that a task was handed off once, as tasks of these queues and no others.
     *
     * @param to a queue as often as it got a task; a family once, however many tasks its queues got
     */
    public PipelineKitAssert handedOff(TaskQueue<?> from, String pid, TaskQueue<?>... to) {
        isNotNull();
        List<HandOff> handOffs = applied(from)
                .filter(commit -> commit.pid().equals(Pid.of(pid)))
                .map(Commit::ending)
                .filter(HandOff.class::isInstance)
                .map(HandOff.class::cast)
                .toList();
        return require(
                handOffs.size() == 1 && matchesTargets(handOffs.getFirst().targets(), to),
                "%s[%s] handed off exactly once, to %s".formatted(from, pid, List.of(to)));
    }

    private static boolean matchesTargets(List<Target> targets, TaskQueue<?>... to) {
        List<QueueName> queues = targets.stream().map(Target::queue).toList();
        return queues.stream().allMatch(queue -> Arrays.stream(to).anyMatch(each -> Members.has(each, queue)))
                && Arrays.stream(to).allMatch(each -> isMet(each, queues, List.of(to)));
    }

    private static boolean isMet(TaskQueue<?> each, List<QueueName> queues, List<TaskQueue<?>> to) {
        long tasks = queues.stream().filter(queue -> Members.has(each, queue)).count();
        return each.isFamily() ? tasks > 0 : tasks == named(each, to);
    }

    private static long named(TaskQueue<?> queue, List<TaskQueue<?>> to) {
        return to.stream()
                .filter(each -> !each.isFamily() && each.name().equals(queue.name()))
                .count();
    }

    /** Verifies the number of attempts at all tasks of this queue together. */
    public PipelineKitAssert hasAttempts(TaskQueue<?> queue, long attempts) {
        isNotNull();
        return require(
                actual.attempts(queue) == attempts,
                "%d attempts of %s, but there were %d".formatted(attempts, queue, actual.attempts(queue)));
    }

    /** Verifies that no task of this queue became a dead letter. */
    public PipelineKitAssert hasNoDeadLetters(TaskQueue<?> queue) {
        isNotNull();
        QueueContents<?> dead = actual.deadLetters(queue);
        return require(dead.tasks().isEmpty(), "no dead letters, but there are " + dead);
    }

    private Stream<Commit> applied(TaskQueue<?> from) {
        return actual.commits().stream()
                .filter(commit ->
                        commit.isApplied() && Members.has(from, commit.queue().name()) && endsTheTask(commit));
    }

    private static boolean endsTheTask(Commit commit) {
        return switch (commit.ending()) {
            case HandOff _, Commit.Ending.Done _, Commit.Ending.Dead _ -> true;
            case Commit.Ending.Retry _, Commit.Ending.GivenBack _ -> false;
        };
    }

    private PipelineKitAssert require(boolean fulfilled, String expected) {
        if (!fulfilled) {
            failWithMessage(
                    "%s%n(expected: %s)",
                    actual.commits().stream().map(Commit::toString).collect(Collectors.joining("\n")), expected);
        }
        return this;
    }
}
