package io.taskmaster.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.taskmaster.client.Update;
import io.taskmaster.client.Update.Enqueue;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueName;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class TraceContextTest {

    private static final String TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
    private static final String SPAN_ID = "b7ad6b7169203331";
    private static final String PARENT = "00-" + TRACE_ID + "-" + SPAN_ID + "-01";
    private static final SpanContext SPAN = SpanContext.create(
            TRACE_ID,
            SPAN_ID,
            TraceFlags.getSampled(),
            TraceState.builder().put("a", "b").build());

    @Test
    void newTasksOfAnUpdateCarryTheCurrentContext() {
        Enqueue own = enqueue("own").headers(Map.of(TraceHeaders.PARENT, "mine"));
        Update update = Update.in("g").enqueue(enqueue("p")).enqueue(own).build();
        try (Scope _ = Context.root().with(Span.wrap(SPAN)).makeCurrent()) {
            List<Enqueue> injected = TraceContext.inject(update).enqueues();
            assertThat(injected.getFirst().headers())
                    .isEqualTo(Map.of(TraceHeaders.PARENT, PARENT, TraceHeaders.STATE, "a=b"));
            assertThat(injected.getLast()).isEqualTo(own);
            assertThat(TraceContext.inject(enqueue("p"))).isEqualTo(injected.getFirst());
        }
        assertThat(TraceContext.inject(update)).isSameAs(update);
    }

    @Test
    void contextComesBackFromTheHeaders() {
        Map<String, String> headers = TraceContext.headersOf(Context.root().with(Span.wrap(SPAN)));
        SpanContext read = Span.fromContext(TraceContext.of(headers)).getSpanContext();
        assertThat(read.isRemote()).isTrue();
        assertThat(read.getTraceId()).isEqualTo(TRACE_ID);
        assertThat(read.getSpanId()).isEqualTo(SPAN_ID);
        assertThat(read.getTraceState().get("a")).isEqualTo("b");
    }

    @Test
    void baggageStaysAtHome() {
        Context context = Context.root()
                .with(Span.wrap(SPAN))
                .with(Baggage.builder().put("user", "secret").build());
        assertThat(TraceContext.headersOf(context)).containsOnlyKeys(TraceHeaders.PARENT, TraceHeaders.STATE);
        assertThat(Baggage.fromContext(TraceContext.of(Map.of("baggage", "user=secret")))
                        .isEmpty())
                .isTrue();
    }

    @Test
    void whatCannotBeReadIsNoContext() {
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            StringBuilder mutated = new StringBuilder(PARENT);
            for (int j = random.nextInt(4); j >= 0; j--) {
                mutated.setCharAt(random.nextInt(mutated.length()), (char) random.nextInt(1 << random.nextInt(1, 17)));
            }
            mutated.setLength(random.nextInt(mutated.length() + 1));
            SpanContext read = Span.fromContext(TraceContext.of(
                            Map.of(TraceHeaders.PARENT, mutated.toString(), TraceHeaders.STATE, "=,\u0000" + mutated)))
                    .getSpanContext();
            assertThat(read.isValid()).isEqualTo(read.isRemote());
        }
        assertThat(TraceContext.of(Map.of(TraceHeaders.PARENT, "00-1"))).isEqualTo(Context.root());
        assertThat(TraceContext.of(Map.of())).isEqualTo(Context.root());
    }

    private static Enqueue enqueue(String pid) {
        return Enqueue.of(QueueName.of("q"), Pid.of(pid), Bytes.of("data"));
    }
}
