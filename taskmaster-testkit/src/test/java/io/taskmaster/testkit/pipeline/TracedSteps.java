package io.taskmaster.testkit.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.taskmaster.client.Update;
import io.taskmaster.stage.trace.TaskSpans;
import io.taskmaster.stage.worker.task.Tracing;
import io.taskmaster.trace.TraceContext;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The collected spans of a test, and the span from which it enqueues. Thread-safe. */
final class TracedSteps implements AutoCloseable {

    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final OpenTelemetrySdk sdk = OpenTelemetrySdk.builder()
            .setTracerProvider(SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                    .build())
            .build();
    private final Tracer tracer = sdk.getTracer("test");
    private final Span outside = tracer.spanBuilder("outside").startSpan();

    Tracing tracing() {
        return new TaskSpans(sdk);
    }

    Tracer tracer() {
        return tracer;
    }

    /** Returns an update with the trace context of the test's span. */
    Update inside(Supplier<Update> update) {
        try (Scope _ = outside.makeCurrent()) {
            return TraceContext.inject(update.get());
        }
    }

    String traceId() {
        return outside.getSpanContext().getTraceId();
    }

    String spanId() {
        return outside.getSpanContext().getSpanId();
    }

    /** Returns the spans that have ended, in the order of their end. */
    List<SpanData> spans() {
        return exporter.getFinishedSpanItems();
    }

    List<SpanData> spans(String name) {
        return spans().stream().filter(span -> span.getName().equals(name)).toList();
    }

    SpanData span(String name) {
        assertThat(spans(name)).hasSize(1);
        return spans(name).getFirst();
    }

    static @Nullable String end(SpanData span) {
        return span.getAttributes().get(AttributeKey.stringKey("messaging.taskmaster.end"));
    }

    static @Nullable String text(SpanData span, String attribute) {
        return span.getAttributes().get(AttributeKey.stringKey(attribute));
    }

    @Override
    public void close() {
        sdk.close();
    }
}
