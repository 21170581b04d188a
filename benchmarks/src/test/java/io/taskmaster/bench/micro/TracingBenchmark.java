package io.taskmaster.bench.micro;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.stage.Codec;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.stage.Stage;
import io.taskmaster.stage.Task;
import io.taskmaster.stage.TaskQueue;
import io.taskmaster.stage.trace.TaskSpans;
import io.taskmaster.stage.worker.task.CallTrace;
import io.taskmaster.stage.worker.task.TaskTrace;
import io.taskmaster.stage.worker.task.Tracing;
import io.taskmaster.trace.TraceHeaders;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of tracing one attempt on a task that comes with a trace context and is handed off: without tracing, with
 * OpenTelemetry without an SDK, and with its SDK, which samples one trace in a hundred or all and discards the spans
 * instead of sending them.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class TracingBenchmark {

    private static final int TASKS = 100;
    private static final TaskQueue<String> IN = TaskQueue.of("in", Codec.utf8());

    private record Leased(String payload, LeasedTask lease) implements Task<String> {

        @Override
        public String member() {
            return "";
        }

        @Override
        public boolean isCancelled() {
            return false;
        }
    }

    private static final class Nowhere implements SpanExporter {

        @Override
        public CompletableResultCode export(Collection<SpanData> spans) {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode flush() {
            return CompletableResultCode.ofSuccess();
        }

        @Override
        public CompletableResultCode shutdown() {
            return CompletableResultCode.ofSuccess();
        }
    }

    @Param({"none", "noop", "one in a hundred", "all"})
    private String tracing;

    private final Stage<?> stage = Pipeline.in("g")
            .stage(IN, each -> each.handler(_ -> Outcome.done()))
            .build()
            .stages()
            .getFirst();
    private final List<List<Task<String>>> tasks = new ArrayList<>();
    private SdkTracerProvider provider;
    private Tracing follows;
    private int next;

    @Setup
    public void begin() {
        provider = SdkTracerProvider.builder()
                .setSampler(Sampler.parentBased(Sampler.alwaysOff()))
                .addSpanProcessor(BatchSpanProcessor.builder(new Nowhere()).build())
                .build();
        follows = switch (tracing) {
            case "none" -> Tracing.NONE;
            case "noop" -> new TaskSpans(OpenTelemetry.noop());
            default ->
                new TaskSpans(
                        OpenTelemetrySdk.builder().setTracerProvider(provider).build());
        };
        for (int i = 0; i < TASKS; i++) {
            boolean isSampled = i == 0 || tracing.equals("all");
            tasks.add(List.of(new Leased("", leased(i, isSampled))));
        }
    }

    private static LeasedTask leased(int i, boolean isSampled) {
        String parent = "00-0af7651916cd43dd8448eb211c8031%02d-b7ad6b7169203331-0%d".formatted(i, isSampled ? 1 : 0);
        return new LeasedTask(
                QueueKey.of("g", "in"),
                Pid.of("task " + i),
                Bytes.EMPTY,
                Map.of(TraceHeaders.PARENT, parent),
                i,
                Instant.EPOCH.plusSeconds(60),
                1,
                Instant.EPOCH);
    }

    @TearDown
    public void end() {
        provider.close();
    }

    @Benchmark
    public Map<String, String> attempt() {
        List<Task<String>> one = tasks.get(next++ % TASKS);
        CallTrace call = follows.call(stage, one);
        TaskTrace trace = call.task(0);
        Map<String, String> headers;
        try (io.taskmaster.stage.Scope _ = call.enter()) {
            Map<String, String> own = trace.headers();
            headers = TraceHeaders.with(Map.of(), own.isEmpty() ? one.getFirst().headers() : own);
        }
        call.returned();
        trace.concluded(Outcome.done(), Optional.empty());
        trace.ended(TaskTrace.End.DONE, "");
        return headers;
    }
}
