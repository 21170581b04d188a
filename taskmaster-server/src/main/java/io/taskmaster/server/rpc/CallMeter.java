package io.taskmaster.server.rpc;

import static java.util.Objects.requireNonNull;

import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * How long the calls of one method take, over gRPC and over HTTP: meter {@code taskmaster.requests}, by {@code method}, {@code status} (of gRPC), and whether the call
 * {@code waited} for something to happen, as a lease may. Thread-safe.
 */
final class CallMeter {

    /** From a lease out of memory to a call that is given up. */
    private static final Duration[] BUCKETS = {
        Duration.ofNanos(250_000),
        Duration.ofMillis(1),
        Duration.ofMillis(2),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofSeconds(1),
        Duration.ofSeconds(10),
        Duration.ofSeconds(60)
    };

    private final String method;
    private final MeterRegistry registry;

    /** By status, and whether the call waited: only those that occurred. */
    private final AtomicReferenceArray<@Nullable Timer> times =
            new AtomicReferenceArray<>(2 * Status.Code.values().length);

    CallMeter(MethodDescriptor<?, ?> method, MeterRegistry registry) {
        this.method = requireNonNull(method.getBareMethodName());
        this.registry = registry;
    }

    /** A call begins. */
    Timer.Sample begin() {
        return Timer.start(registry);
    }

    /** It was answered. */
    void end(Timer.Sample call, Status.Code status, boolean waited) {
        int index = 2 * status.value() + (waited ? 1 : 0);
        Timer time = times.get(index);
        if (time == null) {
            time = timer(status, waited);
            times.set(index, time);
        }
        call.stop(time);
    }

    private Timer timer(Status.Code status, boolean waited) {
        return Timer.builder("taskmaster.requests")
                .description("How long requests take")
                .serviceLevelObjectives(BUCKETS)
                .tag("method", method)
                .tag("status", status.name().toLowerCase(Locale.ROOT))
                .tag("waited", Boolean.toString(waited))
                .register(registry);
    }
}
