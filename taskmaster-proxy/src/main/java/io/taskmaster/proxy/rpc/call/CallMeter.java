package io.taskmaster.proxy.rpc.call;

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
 * Timers of the calls of one method, over gRPC and over HTTP: meter {@code taskmaster.requests}, by {@code method},
 * {@code status} (of gRPC), and whether the call {@code waited} for something to happen, as a lease may. Thread-safe.
 */
public final class CallMeter {

    /** Bounds of the histogram's buckets, from a lease out of memory to a call that times out. */
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

    /**
     * Timers by status and whether the call waited, registered on first use. Two threads that race for one get the same
     * timer from the registry.
     */
    private final AtomicReferenceArray<@Nullable Timer> times =
            new AtomicReferenceArray<>(2 * Status.Code.values().length);

    public CallMeter(MethodDescriptor<?, ?> method, MeterRegistry registry) {
        this.method = requireNonNull(method.getBareMethodName());
        this.registry = registry;
    }

    /** Starts the clock of a call. */
    public Timer.Sample begin() {
        return Timer.start(registry);
    }

    /** Stops the clock of a call that was answered. */
    public void end(Timer.Sample call, Status.Code status, boolean waited) {
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
                .description("Duration of requests")
                .serviceLevelObjectives(BUCKETS)
                .tag("method", method)
                .tag("status", status.name().toLowerCase(Locale.ROOT))
                .tag("waited", Boolean.toString(waited))
                .register(registry);
    }
}
