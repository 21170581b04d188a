package io.taskmaster.server.rpc;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * How much this node takes on at once: requests that are not answered yet, and the bytes of requests and of replies that the
 * network has not taken yet. What goes beyond is refused at once, before it costs anything; bulk work earlier than interactive work,
 * for which a part is kept in reserve. Thread-safe, lock-free.
 */
final class Admission implements MeterBinder {

    private static final Duration RETRY_OVERLOADED = Duration.ofMillis(100);
    private static final Duration RETRY_ELSEWHERE = Duration.ofSeconds(1);

    /** One part in so many is for interactive work alone. */
    static final int INTERACTIVE_RESERVE = 4;

    private final int maxRequests;
    private final long maxBytes;
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final CompletableFuture<Void> idle = new CompletableFuture<>();
    private volatile boolean draining;

    Admission(int maxRequests, long maxBytes) {
        this.maxRequests = maxRequests;
        this.maxBytes = maxBytes;
    }

    /** Meters {@code taskmaster.in.flight.requests} and {@code taskmaster.in.flight.used} bytes, each with what there may be. */
    @Override
    public void bindTo(MeterRegistry registry) {
        gauge(registry, "requests", "Requests that are not over", Admission::requests, null);
        gauge(registry, "requests.max", "How many of them there may be", admission -> admission.maxRequests, null);
        gauge(registry, "used", "Bytes of requests and replies that are not over", Admission::bytes, "bytes");
        gauge(registry, "max", "How many of them there may be", admission -> (double) admission.maxBytes, "bytes");
    }

    private void gauge(
            MeterRegistry registry,
            String what,
            String description,
            ToDoubleFunction<Admission> value,
            @Nullable String unit) {
        Gauge.builder("taskmaster.in.flight." + what, this, value)
                .description(description)
                .baseUnit(unit)
                .register(registry);
    }

    /**
     * Takes on a request of this size, or refuses.
     *
     * @param bulk whether it yields to interactive work
     */
    void enter(long size, boolean bulk) {
        if (draining) {
            throw TaskMasterException.withoutStackTrace(
                    ErrorCode.SHUTTING_DOWN, "the node is shutting down", RETRY_ELSEWHERE, null);
        }
        long requestsTaken = bulk ? maxRequests - maxRequests / INTERACTIVE_RESERVE : maxRequests;
        if (requests.incrementAndGet() > requestsTaken) {
            requests.decrementAndGet();
            throw overloaded("in-flight.requests", requestsTaken);
        }
        long bytesTaken = bulk ? maxBytes - maxBytes / INTERACTIVE_RESERVE : maxBytes;
        if (bytes.addAndGet(size) > bytesTaken) {
            leave(size);
            throw overloaded("in-flight.bytes", bytesTaken);
        }
    }

    /** A reply is waiting for the network: never refused, because its work is done, but it counts. */
    void reply(long size) {
        bytes.addAndGet(size);
    }

    /**
     * A request is over.
     *
     * @param size of the request and its reply together
     */
    void leave(long size) {
        bytes.addAndGet(-size);
        if (requests.decrementAndGet() == 0 && draining) {
            idle.complete(null);
        }
    }

    /** Refuses all from now on, and tells long polls to come to an end. */
    void drain() {
        draining = true;
        if (requests.get() == 0) {
            idle.complete(null);
        }
    }

    /** Waits until nothing is in flight any more, after {@link #drain()}; false if that takes longer than the limit. */
    boolean awaitIdle(Duration limit) throws InterruptedException {
        try {
            idle.get(limit.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new AssertionError("never completes with an error", e);
        }
    }

    boolean isDraining() {
        return draining;
    }

    long requests() {
        return requests.get();
    }

    long bytes() {
        return bytes.get();
    }

    private static TaskMasterException overloaded(String limit, long max) {
        return TaskMasterException.withoutStackTrace(
                ErrorCode.OVERLOADED, limit + ": reached (expected: at most " + max + ")", RETRY_OVERLOADED, null);
    }
}
