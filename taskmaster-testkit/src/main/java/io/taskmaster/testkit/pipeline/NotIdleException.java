package io.taskmaster.testkit.pipeline;

import io.taskmaster.client.QueueSummary;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * An exception for stages that still have tasks when a kit should be idle: the tasks go in a circle, fail again and
 * again, or have no worker.
 */
public final class NotIdleException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** The number of the last commits that the message contains. */
    private static final int MAX_SHOWN = 10;

    private final transient List<QueueSummary> waiting;

    /** @param inFlight the number of commits that are sent and not answered */
    NotIdleException(Duration span, long steps, List<QueueSummary> waiting, int inFlight, List<Commit> commits) {
        super(
                "not idle after %s and %d steps: %s; commits in flight: %d (expected: no task left for a stage, and no commit in flight)%s"
                        .formatted(
                                span,
                                steps,
                                waiting.stream().map(NotIdleException::text).collect(Collectors.joining("; ")),
                                inFlight,
                                last(commits)));
        this.waiting = List.copyOf(waiting);
    }

    /** Returns the queues of stages that hold tasks. */
    public List<QueueSummary> waiting() {
        return waiting;
    }

    private static String text(QueueSummary queue) {
        return "%s: %d available, %d leased, %d delayed"
                .formatted(queue.queue(), queue.available(), queue.leased(), queue.delayed());
    }

    private static String last(List<Commit> commits) {
        return commits.isEmpty()
                ? "; no commits"
                : commits.subList(Math.max(0, commits.size() - MAX_SHOWN), commits.size()).stream()
                        .map(Commit::toString)
                        .collect(Collectors.joining("\n", "; the last commits:\n", ""));
    }
}
