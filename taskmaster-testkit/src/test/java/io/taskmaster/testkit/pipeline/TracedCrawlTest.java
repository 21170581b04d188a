package io.taskmaster.testkit.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.stage.Codec;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.stage.RetryPolicy;
import io.taskmaster.stage.TaskQueue;
import io.taskmaster.stage.worker.Worker;
import io.taskmaster.testkit.TestServer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * A test of a small crawl on a real server with two workers, each with a client of its own: the path of its tasks is
 * one trace.
 */
final class TracedCrawlTest {

    private static final TaskQueue<String> FETCH = TaskQueue.of("fetch", Codec.utf8());
    private static final TaskQueue<String> EXTRACT = TaskQueue.of("extract", Codec.utf8());
    private static final TaskQueue<String> INDEX = TaskQueue.of("index", Codec.utf8());

    private static final RetryPolicy SOON =
            RetryPolicy.DEFAULT.maxAttempts(2).delays(Duration.ofMillis(1), Duration.ofMillis(2));

    private static final Pipeline CRAWL = Pipeline.in("crawl")
            .stage(
                    FETCH,
                    stage -> stage.handler(task -> task.payload().equals("slow") && task.attempt() == 1
                                    ? Outcome.retry("no answer")
                                    : Outcome.handOff(EXTRACT.task("page of " + task.payload())))
                            .to(EXTRACT)
                            .retry(SOON))
            .stage(
                    EXTRACT,
                    stage -> stage.handler(task -> task.payload().equals("page of empty")
                                    ? Outcome.dead("an empty page")
                                    : Outcome.handOff(INDEX.task(task.payload())))
                            .to(INDEX))
            .stage(
                    INDEX,
                    stage -> stage.batchHandler(
                            10, (tasks, finish) -> tasks.forEach(task -> finish.with(task, Outcome.done()))))
            .build();

    @Test
    void oneTraceHoldsAllStagesOnBothWorkers() {
        try (TracedSteps traced = new TracedSteps();
                TestServer server = TestServer.inMemory();
                TaskMasterClient other =
                        TaskMasterClient.builder(server.target()).build();
                Worker _ = Worker.start(CRAWL.only("fetch", "index"), server.client(), traced.tracing());
                Worker _ = Worker.start(CRAWL.only("extract"), other, traced.tracing())) {
            server.client()
                    .blocking()
                    .update(traced.inside(() -> CRAWL.update(
                            FETCH.task("fast").at("1"),
                            FETCH.task("slow").at("2"),
                            FETCH.task("empty").at("3"))));

            // Four attempts to fetch three pages, of which one is empty.
            await().until(() -> ofTheTask(traced).size() == 4 + 3 + 2);
            assertThat(ends(traced, "process fetch"))
                    .containsOnlyOnce("retried")
                    .hasSize(4);
            assertThat(ends(traced, "process extract")).containsExactlyInAnyOrder("done", "done", "dead");
            assertThat(ends(traced, "process index")).containsExactly("done", "done");
            assertThat(ofTheTask(traced))
                    .allSatisfy(span -> assertThat(span.getTraceId()).isEqualTo(traced.traceId()));

            Set<String> known =
                    ofTheTask(traced).stream().map(SpanData::getSpanId).collect(Collectors.toSet());
            known.add(traced.spanId());
            assertThat(ofTheTask(traced)).allSatisfy(span -> assertThat(known).contains(span.getParentSpanId()));

            await().until(() -> batches(traced).stream()
                            .mapToInt(span -> span.getLinks().size())
                            .sum()
                    == 2);
            assertThat(batches(traced)).allSatisfy(span -> {
                assertThat(span.getName()).isEqualTo("process index");
                assertThat(span.getParentSpanId()).isEqualTo(SpanId.getInvalid());
                assertThat(span.getLinks())
                        .allSatisfy(link ->
                                assertThat(link.getSpanContext().getTraceId()).isEqualTo(traced.traceId()));
            });
        }
    }

    private static List<String> ends(TracedSteps traced, String name) {
        return ofTheTask(traced).stream()
                .filter(span -> span.getName().equals(name))
                .map(span -> String.valueOf(TracedSteps.end(span)))
                .toList();
    }

    private static List<SpanData> ofTheTask(TracedSteps traced) {
        return traced.spans().stream().filter(span -> !isBatch(span)).toList();
    }

    private static List<SpanData> batches(TracedSteps traced) {
        return traced.spans().stream().filter(TracedCrawlTest::isBatch).toList();
    }

    private static boolean isBatch(SpanData span) {
        return span.getAttributes().get(AttributeKey.longKey("messaging.batch.message_count")) != null;
    }
}
