package io.taskmaster.stage.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.taskmaster.client.DescribeRequest;
import io.taskmaster.client.DescribeResult;
import io.taskmaster.client.QueueDescription;
import io.taskmaster.client.QueueOptions;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.QueueSummary;
import io.taskmaster.model.QueueKey;
import io.taskmaster.stage.Codec;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.stage.TaskQueue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class QueuesAtServerTest {

    private static final TaskQueue<String> FETCH = TaskQueue.of("fetch", Codec.utf8());
    private static final TaskQueue<String> MAIL = TaskQueue.family("mail", Codec.utf8());
    private static final TaskQueue<String> SINK = TaskQueue.of("sink", Codec.utf8());

    private static final Pipeline PIPELINE = Pipeline.in("g")
            .stage(FETCH, stage -> stage.handler(_ -> Outcome.done()).to(MAIL, SINK))
            .stage(MAIL, stage -> stage.handler(_ -> Outcome.done()))
            .sinks(SINK)
            .build();

    private final Map<QueueSelector, CompletableFuture<DescribeResult>> answers = new HashMap<>();
    private final QueuesAtServer queues = new QueuesAtServer(PIPELINE, this::describe);

    private CompletableFuture<DescribeResult> describe(DescribeRequest request) {
        return answers.getOrDefault(
                request.queues(), CompletableFuture.failedFuture(new IllegalStateException("not known: " + request)));
    }

    private void has(TaskQueue<?> queue, CompletableFuture<DescribeResult> sizes) {
        answers.put(queue.selector(PIPELINE.group()), sizes);
    }

    private static DescribeResult sizes(long available, long leased, long delayed, String... unreachable) {
        QueueSummary summary = new QueueSummary(QueueKey.of("", ""), available, leased, delayed);
        QueueDescription total = new QueueDescription(
                summary,
                0,
                0,
                0,
                Optional.empty(),
                Optional.empty(),
                0,
                0,
                QueueOptions.DEFAULT,
                List.of(),
                Optional.empty());
        return new DescribeResult(List.of(), total, List.of(unreachable));
    }

    @Test
    void eachStageHasLengthsByState() {
        has(FETCH, CompletableFuture.completedFuture(sizes(1, 2, 3)));
        has(MAIL, CompletableFuture.completedFuture(sizes(0, 0, 40)));

        assertThat(queues.lengths())
                .isCompletedWithValue(Map.ofEntries(
                        entry("fetch available", 1L),
                        entry("fetch leased", 2L),
                        entry("fetch delayed", 3L),
                        entry("mail available", 0L),
                        entry("mail leased", 0L),
                        entry("mail delayed", 40L)));
    }

    @Test
    void oneCallThatFailsFailsThemAllOnceAllAreOver() {
        CompletableFuture<DescribeResult> slow = new CompletableFuture<>();
        has(FETCH, CompletableFuture.failedFuture(new IllegalStateException("overloaded")));
        has(MAIL, slow);
        CompletableFuture<?> lengths = queues.lengths();
        assertThat(lengths).isNotDone();
        slow.complete(sizes(0, 0, 0));
        assertThat(lengths).isCompletedExceptionally();
    }

    @Test
    void aPartOfTheTasksIsNoLength() {
        has(FETCH, CompletableFuture.completedFuture(sizes(1, 0, 0)));
        has(MAIL, CompletableFuture.completedFuture(sizes(1, 0, 0, "node-2")));
        assertThat(queues.lengths()).isCompletedExceptionally();
    }
}
