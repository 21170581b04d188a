package io.taskmaster.testkit.pipeline;

import static io.taskmaster.testkit.pipeline.PipelineAssertions.assertThat;
import static io.taskmaster.testkit.pipeline.Steps.FIRST;
import static io.taskmaster.testkit.pipeline.Steps.LAST;
import static io.taskmaster.testkit.pipeline.Steps.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingResult;
import io.taskmaster.client.Update.IfExists;
import io.taskmaster.stage.Codec;
import io.taskmaster.stage.Flight;
import io.taskmaster.stage.NewTask;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.stage.RetryPolicy;
import io.taskmaster.stage.Scope;
import io.taskmaster.stage.Task;
import io.taskmaster.stage.TaskQueue;
import io.taskmaster.stage.control.Controller;
import io.taskmaster.stage.local.LocalStage;
import io.taskmaster.stage.trace.TaskSpans;
import io.taskmaster.trace.TraceHeaders;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of workers' spans, by the outcome of tasks. */
final class TracingTest {

    private static final String PROCESS_FIRST = "process first";
    private static final String PROCESS_SECOND = "process second";
    private static final Pipeline ONE = Steps.alone(Outcome.done());

    private final TracedSteps traced = new TracedSteps();

    @AfterEach
    void close() {
        traced.close();
    }

    private PipelineKit start(Pipeline pipeline) {
        return PipelineKit.of(pipeline).tracing(traced.tracing()).start();
    }

    /** Enqueues tasks from within the span of the test. */
    private void enqueue(PipelineKit kit, Pipeline pipeline, NewTask<?>... tasks) {
        assertThat(kit.await(kit.client().update(traced.inside(() -> pipeline.update(tasks))))
                        .success())
                .isTrue();
    }

    /** Runs until the workers, too, know the outcome of all tasks. */
    private static void run(PipelineKit kit) {
        kit.runUntilIdle();
        kit.advance(Duration.ofSeconds(1));
    }

    private static String headerOf(QueuedTask<?> task) {
        return String.valueOf(task.headers().get(TraceHeaders.PARENT));
    }

    @Test
    void everyStageIsAChildOfTheOneBefore() {
        try (PipelineKit kit = start(Steps.PIPELINE)) {
            enqueue(kit, Steps.PIPELINE, FIRST.task("a").at("p"));
            run(kit);

            SpanData first = traced.span(PROCESS_FIRST);
            SpanData second = traced.span(PROCESS_SECOND);
            assertThat(first.getTraceId()).isEqualTo(traced.traceId());
            assertThat(first.getParentSpanId()).isEqualTo(traced.spanId());
            assertThat(second.getTraceId()).isEqualTo(traced.traceId());
            assertThat(second.getParentSpanId()).isEqualTo(first.getSpanId());
            assertThat(headerOf(kit.queue(LAST).tasks().getFirst())).contains(traced.traceId(), second.getSpanId());
        }
    }

    @Test
    void spanSaysWhatTheConventionsAskFor() {
        try (PipelineKit kit = start(ONE)) {
            enqueue(kit, ONE, FIRST.task("a").at("p").notBefore(kit.now().plusSeconds(10)));
            run(kit);

            SpanData span = traced.span(PROCESS_FIRST);
            assertThat(span.getKind()).isEqualTo(SpanKind.CONSUMER);
            assertThat(span.getInstrumentationScopeInfo().getName()).isEqualTo("io.taskmaster.stage");
            Map<String, Object> attributes = new HashMap<>();
            span.getAttributes().forEach((key, value) -> attributes.put(key.getKey(), value));
            assertThat(attributes)
                    .contains(
                            entry("messaging.system", "taskmaster"),
                            entry("messaging.operation.name", "process"),
                            entry("messaging.operation.type", "process"),
                            entry("messaging.destination.name", "first"),
                            entry("messaging.message.id", "p"),
                            entry("messaging.taskmaster.group", "steps"),
                            entry("messaging.taskmaster.attempt", 1L),
                            entry("messaging.taskmaster.end", "done"))
                    .doesNotContainKeys("messaging.batch.message_count", "messaging.destination.template", "error.type")
                    .hasEntrySatisfying(
                            "messaging.taskmaster.wait",
                            wait -> assertThat((double) wait).isBetween(10.0, 10.1));
            assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
            assertThat(span.getEvents()).extracting(EventData::getName).containsExactly("outcome");
        }
    }

    @Test
    void membersOfAFamilyHaveOneName() {
        TaskQueue<String> mail = TaskQueue.family("mail", Codec.utf8());
        Pipeline pipeline = Pipeline.in("steps")
                .stage(mail, stage -> stage.handler(_ -> Outcome.done()))
                .build();
        try (PipelineKit kit = start(pipeline)) {
            kit.enqueue(mail.task("alice", "a").at("p"));
            run(kit);

            SpanData span = traced.span("process mail/*");
            assertThat(TracedSteps.text(span, "messaging.destination.template")).isEqualTo("mail/*");
            assertThat(TracedSteps.text(span, "messaging.destination.name")).isEqualTo("mail/alice");
        }
    }

    @Test
    void attemptsAreSiblingsAndTheLastIsDead() {
        Pipeline failing = Pipeline.in("steps")
                .stage(
                        FIRST,
                        stage -> stage.handler(_ -> {
                                    throw new IllegalStateException("no good");
                                })
                                .retry(RetryPolicy.DEFAULT.maxAttempts(3)))
                .build();
        try (PipelineKit kit = start(failing)) {
            enqueue(kit, failing, FIRST.task("a").at("p"));
            run(kit);

            List<SpanData> attempts = traced.spans(PROCESS_FIRST);
            assertThat(attempts).extracting(TracedSteps::end).containsExactly("retried", "retried", "dead");
            assertThat(attempts)
                    .extracting(span -> span.getAttributes().get(AttributeKey.longKey("messaging.taskmaster.attempt")))
                    .containsExactly(1L, 2L, 3L);
            assertThat(attempts).allSatisfy(span -> {
                assertThat(span.getParentSpanId()).isEqualTo(traced.spanId());
                assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
                assertThat(span.getStatus().getDescription()).contains("no good");
                assertThat(TracedSteps.text(span, "error.type")).isEqualTo("java.lang.IllegalStateException");
                assertThat(span.getEvents()).extracting(EventData::getName).containsExactly("outcome", "exception");
            });
            assertThat(headerOf(kit.deadLetters(FIRST).tasks().getFirst())).contains(traced.spanId());
        }
    }

    @Test
    void lostLeaseAndRefusedCommitAreSeen() {
        try (PipelineKit kit = start(ONE)) {
            kit.faults().atAttempt(FIRST, 1).loseLease().atCommit(FIRST, 2).refuse();
            enqueue(kit, ONE, FIRST.task("a").at("p"));
            run(kit);

            List<SpanData> attempts = traced.spans(PROCESS_FIRST);
            assertThat(attempts).extracting(TracedSteps::end).containsExactly("lost", "done");
            assertThat(TracedSteps.text(attempts.getFirst(), "error.type")).isEqualTo("lost");
            assertThat(attempts.getLast().getEvents())
                    .extracting(EventData::getName)
                    .containsExactly("outcome", "refused");
        }
    }

    @Test
    void processThatDiesLeavesNoSpanAndTheDeadLetterThatNobodySawHasOne() {
        Pipeline twice = Pipeline.in("steps")
                .stage(FIRST, stage -> stage.handler(_ -> Outcome.done()).retry(RetryPolicy.DEFAULT.maxAttempts(1)))
                .build();
        try (PipelineKit kit = start(twice)) {
            kit.faults().atAttempt(FIRST, 1).crash();
            enqueue(kit, twice, FIRST.task("a").at("p"));
            run(kit);

            SpanData span = traced.span(PROCESS_FIRST);
            assertThat(TracedSteps.end(span)).isEqualTo("dead");
            assertThat(span.getStatus().getDescription()).isEqualTo("leased 1 times without an outcome");
            assertThat(span.getParentSpanId()).isEqualTo(traced.spanId());
        }
    }

    @Test
    void batchHasASpanThatLinksItsTasksAndEachTaskOneInItsTrace() {
        List<String> current = new ArrayList<>();
        Pipeline batches = Pipeline.in("steps")
                .stage(
                        FIRST,
                        stage -> stage.batchHandler(10, (tasks, finish) -> {
                                    current.add(Span.current().getSpanContext().getSpanId());
                                    for (Task<String> task : tasks) {
                                        try (Scope _ = task.enter()) {
                                            current.add(Span.current()
                                                    .getSpanContext()
                                                    .getSpanId());
                                            finish.with(task, Outcome.handOff(LAST.task(task.payload())));
                                        }
                                    }
                                })
                                .to(LAST)
                                .prefetch(20))
                .sinks(LAST)
                .build();
        try (PipelineKit kit = start(batches)) {
            enqueue(kit, batches, FIRST.task("a").at("1"), FIRST.task("b").at("2"));
            run(kit);

            List<SpanData> spans = traced.spans(PROCESS_FIRST);
            List<SpanData> each = spans.stream()
                    .filter(span -> span.getTraceId().equals(traced.traceId()))
                    .toList();
            SpanData callSpan = spans.stream()
                    .filter(span -> !span.getTraceId().equals(traced.traceId()))
                    .findFirst()
                    .orElseThrow();
            assertThat(spans).hasSize(3);
            assertThat(callSpan.getKind()).isEqualTo(SpanKind.CONSUMER);
            assertThat(callSpan.getAttributes().get(AttributeKey.longKey("messaging.batch.message_count")))
                    .isEqualTo(2);
            assertThat(callSpan.getLinks())
                    .hasSize(2)
                    .allSatisfy(link ->
                            assertThat(link.getSpanContext().getSpanId()).isEqualTo(traced.spanId()));
            assertThat(callSpan.getLinks())
                    .extracting(link -> link.getAttributes().get(AttributeKey.stringKey("messaging.message.id")))
                    .containsExactly("1", "2");
            assertThat(each).hasSize(2).allSatisfy(span -> {
                assertThat(span.getParentSpanId()).isEqualTo(traced.spanId());
                assertThat(span.getLinks())
                        .extracting(link -> link.getSpanContext().getSpanId())
                        .containsExactly(callSpan.getSpanId());
            });
            assertThat(current).hasSize(3).first().isEqualTo(callSpan.getSpanId());
            assertThat(current.subList(1, 3))
                    .containsExactlyInAnyOrderElementsOf(
                            each.stream().map(SpanData::getSpanId).toList());
            assertThat(kit.queue(LAST).tasks())
                    .allSatisfy(task -> assertThat(headerOf(task)).contains(traced.traceId()));
        }
    }

    @Test
    void batchOfOneIsABatchWhereAControllerMayMakeItMore() {
        Pipeline batches = Pipeline.in("steps")
                .stage(
                        FIRST,
                        stage -> stage.batchHandler(
                                Controller.threadPool(1, 10),
                                (tasks, finish) -> tasks.forEach(task -> finish.with(task, Outcome.done()))))
                .build();
        try (PipelineKit kit = start(batches)) {
            enqueue(kit, batches, FIRST.task("a").at("1"));
            run(kit);

            assertThat(traced.spans(PROCESS_FIRST))
                    .extracting(span -> span.getAttributes().get(AttributeKey.longKey("messaging.batch.message_count")))
                    .containsExactlyInAnyOrder(1L, null);
        }
    }

    @Test
    void spansOfHandlersAndOfAnswersToRefusalsAreWithin() {
        Pipeline taken = Pipeline.in("steps")
                .stage(
                        FIRST,
                        stage -> stage.handler(task -> {
                                    traced.tracer()
                                            .spanBuilder("inner")
                                            .startSpan()
                                            .end();
                                    return Outcome.handOff(LAST.task("x").ifExists(IfExists.FAIL))
                                            .otherwise(_ -> {
                                                traced.tracer()
                                                        .spanBuilder("answer")
                                                        .startSpan()
                                                        .end();
                                                return Outcome.done();
                                            });
                                })
                                .to(LAST))
                .sinks(LAST)
                .build();
        try (PipelineKit kit = start(taken)) {
            kit.enqueue(LAST.task("there").at("p"));
            enqueue(kit, taken, FIRST.task("a").at("p"));
            run(kit);

            SpanData attempt = traced.span(PROCESS_FIRST);
            assertThat(attempt.getEvents())
                    .extracting(EventData::getName)
                    .containsExactly("outcome", "refused", "outcome");
            assertThat(traced.span("inner").getParentSpanId()).isEqualTo(attempt.getSpanId());
            assertThat(traced.span("answer").getParentSpanId()).isEqualTo(attempt.getSpanId());
        }
    }

    @Test
    void flightIsTracedThroughLocalStages() {
        PipelineKit kit = PipelineKit.running((local, _) -> {
                    LocalStage<Flight<String>> render = local.add(
                            "render",
                            stage -> stage.handler(flight -> {
                                        traced.tracer()
                                                .spanBuilder("render")
                                                .startSpan()
                                                .end();
                                        flight.finish(Outcome.handOff(LAST.task("x")));
                                    })
                                    .traced()
                                    .boundary(1, boundary -> boundary.concurrency(1)));
                    return Pipeline.in("steps")
                            .stage(FIRST, stage -> stage.into(render).to(LAST))
                            .sinks(LAST)
                            .build();
                })
                .tracing(traced.tracing())
                .start();
        try (kit) {
            kit.enqueue(
                    FIRST.task("a").at("1"),
                    FIRST.task("b").at("2"),
                    FIRST.task("c").at("3"));
            run(kit);

            List<SpanData> done = traced.spans(PROCESS_FIRST).stream()
                    .filter(span -> "done".equals(TracedSteps.end(span)))
                    .toList();
            assertThat(done).hasSize(3);
            assertThat(traced.spans("render"))
                    .extracting(SpanData::getParentSpanId)
                    .containsExactlyInAnyOrderElementsOf(
                            done.stream().map(SpanData::getSpanId).toList());
        }
    }

    @Test
    void taskThatTheWorkerKeepsForLaterHasASpanForEachTime() {
        AtomicBoolean again = new AtomicBoolean();
        Pipeline busy = Pipeline.in("steps")
                .stage(
                        FIRST,
                        stage -> stage.handler(_ ->
                                again.getAndSet(true) ? Outcome.done() : Outcome.hold(Duration.ofSeconds(1), "busy")))
                .build();
        try (PipelineKit kit = start(busy)) {
            enqueue(kit, busy, FIRST.task("a").at("p"));
            run(kit);
            assertThat(traced.spans(PROCESS_FIRST))
                    .allSatisfy(
                            span -> assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET))
                    .extracting(TracedSteps::end)
                    .containsExactly("held", "done");
        }
    }

    @Test
    void garbageOfOthersBeginsATraceOfItsOwn() {
        Pipeline on = Steps.alone(Outcome.handOff(LAST.task("x")));
        try (PipelineKit kit = start(on)) {
            kit.enqueue(
                    FIRST.task("a").at("p").headers(Map.of(TraceHeaders.PARENT, "00-1", TraceHeaders.STATE, "\u0000")));
            run(kit);

            SpanData span = traced.span(PROCESS_FIRST);
            assertThat(span.getParentSpanContext().isValid()).isFalse();
            assertThat(kit.queue(LAST).tasks().getFirst().headers())
                    .containsOnlyKeys(TraceHeaders.PARENT)
                    .hasEntrySatisfying(
                            TraceHeaders.PARENT,
                            header -> assertThat(header).contains(span.getTraceId(), span.getSpanId()));
        }
    }

    @Test
    void contextThatDoesNotFitIsLeftOut() {
        Map<String, String> full = new HashMap<>();
        for (int i = 0; i < 64; i++) {
            full.put("h" + i, "v");
        }
        Pipeline on = Steps.alone(Outcome.handOff(LAST.task("x").headers(full)));
        try (PipelineKit kit = start(on)) {
            enqueue(kit, on, FIRST.task("a").at("p"));
            run(kit);

            assertThat(kit.queue(LAST).tasks().getFirst().headers()).isEqualTo(full);
            assertThat(TracedSteps.end(traced.span(PROCESS_FIRST))).isEqualTo("done");
        }
    }

    @Test
    void tracesThatTheWorkerDoesNotFollowGoOn() {
        Pipeline on = Steps.alone(Outcome.handOff(LAST.task("x")));
        PipelineKit kit =
                PipelineKit.of(on).tracing(new TaskSpans(OpenTelemetry.noop())).start();
        try (kit) {
            enqueue(kit, on, FIRST.task("a").at("p"));
            run(kit);
            assertThat(headerOf(kit.queue(LAST).tasks().getFirst())).contains(traced.traceId(), traced.spanId());
        }
    }

    @Test
    void tasksGoOnWithoutSpansWhereTracingIsBroken() {
        AtomicBoolean asked = new AtomicBoolean();
        Sampler broken = new Sampler() {
            @Override
            public SamplingResult shouldSample(
                    Context parent,
                    String traceId,
                    String name,
                    SpanKind kind,
                    Attributes attributes,
                    List<LinkData> links) {
                asked.set(true);
                throw new IllegalStateException("broken");
            }

            @Override
            public String getDescription() {
                return "broken";
            }
        };
        SdkTracerProvider provider = SdkTracerProvider.builder()
                .setSampler(broken)
                .addSpanProcessor(SimpleSpanProcessor.create(InMemorySpanExporter.create()))
                .build();
        PipelineKit kit = PipelineKit.of(Steps.PIPELINE)
                .tracing(new TaskSpans(
                        OpenTelemetrySdk.builder().setTracerProvider(provider).build()))
                .start();
        try (kit;
                provider) {
            kit.enqueue(FIRST.task("a").at("p"));
            run(kit);
            assertThat(kit).handedOffOnce(FIRST).handedOffOnce(SECOND);
            assertThat(asked).isTrue();
        }
    }

    @Test
    void everySpanEndsOnceWhateverGoesWrong() {
        Seeds.each(30, seed -> {
            try (TracedSteps own = new TracedSteps();
                    PipelineKit kit = PipelineKit.of(Steps.PIPELINE)
                            .seed(seed)
                            .trouble(10)
                            .tracing(own.tracing())
                            .start()) {
                for (int i = 0; i < 20; i++) {
                    kit.enqueue(FIRST.task("t").at("p" + i));
                }
                kit.runUntilIdle();
                kit.drain(kit.worker(), Duration.ofSeconds(1));
                long attempts = kit.attempts(FIRST) + kit.attempts(SECOND);
                assertThat(own.spans())
                        .hasSizeGreaterThanOrEqualTo((int) attempts)
                        .allSatisfy(span -> assertThat(TracedSteps.end(span)).isNotNull())
                        .extracting(SpanData::getSpanId)
                        .doesNotHaveDuplicates();
            }
        });
    }
}
