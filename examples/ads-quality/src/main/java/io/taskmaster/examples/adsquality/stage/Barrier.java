package io.taskmaster.examples.adsquality.stage;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.DeadLetter;
import io.taskmaster.client.ListRequest;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.examples.demo.QueueSizes;
import io.taskmaster.model.QueueName;
import io.taskmaster.stage.NewTask;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Task;
import io.taskmaster.stage.TaskQueue;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * A barrier that holds a set in its phase until the pipeline has drained: nothing is in it, leased tasks included, and
 * for each task that went in there is a result or a dead letter. All of that is read at one moment, and a hand-off is
 * one update, so no task is ever between two queues. Results stay, so a pipeline that has drained once is not filled
 * again. Thread-safe.
 */
final class Barrier {

    private static final Duration LOOK_EVERY = Duration.ofMillis(100);

    private final BlockingClient client;
    private final List<TaskQueue<?>> pipeline;
    private final TaskQueue<?> results;

    /**
     * Creates a barrier.
     *
     * @param pipeline the families of the pipeline's queues
     * @param results the family that keeps one task for each that went in
     */
    Barrier(BlockingClient client, List<TaskQueue<?>> pipeline, TaskQueue<?> results) {
        this.client = client;
        this.pipeline = List.copyOf(pipeline);
        this.results = results;
    }

    /**
     * Hands the set on to the next phase if the pipeline has drained. Until then the coordinator keeps the task, under
     * its lease, and checks again.
     *
     * @param task the task of a set, with the number of tasks that went in
     */
    Outcome pass(Task<Integer> task, NewTask<?>... next) {
        String set = task.pid().toString();
        List<QueueName> inside =
                pipeline.stream().map(queue -> name(queue, set)).toList();
        List<QueueName> outside = Stream.concat(inside.stream().map(DeadLetter::queueOf), Stream.of(name(results, set)))
                .toList();
        QueueSizes now = look(Stream.concat(inside.stream(), outside.stream()).toArray(QueueName[]::new));
        long out = now.tasksIn(outside::contains);
        return now.tasksIn(inside::contains) == 0 && out == task.payload()
                ? Outcome.handOff(next)
                : Outcome.hold(LOOK_EVERY, "%s: %d of %d have come out".formatted(set, out, task.payload()));
    }

    private QueueSizes look(QueueName... queues) {
        return new QueueSizes(client.list(ListRequest.of(QueueSelector.of(AdsQualityQueues.GROUP, queues)))
                .queues());
    }

    private static QueueName name(TaskQueue<?> family, String set) {
        return AdsQualityQueues.of(family, set).name();
    }
}
