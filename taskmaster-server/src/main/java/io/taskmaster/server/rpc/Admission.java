package io.taskmaster.server.rpc;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * How much this node takes on at once: requests that are not answered yet, and the bytes of requests and of replies that the
 * network has not taken yet. What goes beyond is refused at once, before it costs anything; bulk work earlier than interactive work,
 * for which a part is kept in reserve. The last of it is kept for callers that have less than their part in flight, so that one that asks for ever more
 * does not have others refused. Thread-safe; never blocks for long.
 */
final class Admission implements MeterBinder {

    private static final Duration RETRY_OVERLOADED = Duration.ofMillis(100);
    private static final Duration RETRY_ELSEWHERE = Duration.ofSeconds(1);

    /** One part in so many is for interactive work alone. */
    static final int INTERACTIVE_RESERVE = 4;

    /** One part in so many is for callers that have less in flight than their part: the whole, divided among all who have something in flight. */
    static final int FAIR_RESERVE = 8;

    /** What one caller has in flight. */
    static final class Held {

        private final String caller;
        private final AtomicLong requests = new AtomicLong();
        private final AtomicLong bytes = new AtomicLong();

        private Held(String caller) {
            this.caller = caller;
        }
    }

    private final int maxRequests;
    private final long maxBytes;
    private final AtomicLong requests = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();

    /** Those who have something in flight. */
    private final ConcurrentHashMap<String, Held> callers = new ConcurrentHashMap<>();

    private final CompletableFuture<Void> idle = new CompletableFuture<>();
    private volatile boolean draining;

    Admission(int maxRequests, long maxBytes) {
        this.maxRequests = maxRequests;
        this.maxBytes = maxBytes;
    }

    /** Meters {@code taskmaster.in.flight.requests} and {@code taskmaster.in.flight.used} bytes, each with what there may be, and {@code .callers}. */
    @Override
    public void bindTo(MeterRegistry registry) {
        gauge(registry, "requests", "Requests that are not over", Admission::requests, null);
        gauge(registry, "requests.max", "How many of them there may be", admission -> admission.maxRequests, null);
        gauge(registry, "callers", "Callers that have something in flight", Admission::callers, null);
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
     * @return at whose expense it goes, for {@link #reply} and {@link #leave}
     */
    Held enter(long size, boolean bulk, String caller) {
        if (draining) {
            throw TaskMasterException.withoutStackTrace(
                    ErrorCode.SHUTTING_DOWN, "the node is shutting down", RETRY_ELSEWHERE, null);
        }
        Held held = callers.compute(caller, (name, known) -> {
            Held one = known == null ? new Held(name) : known;
            one.requests.incrementAndGet();
            return one;
        });
        long requestsTaken = bulk ? maxRequests - maxRequests / INTERACTIVE_RESERVE : maxRequests;
        TaskMasterException refusal =
                refusal("in-flight.requests", requests.incrementAndGet(), requestsTaken, held, held.requests.get());
        if (refusal != null) {
            leave(held, 0);
            throw refusal;
        }
        long bytesTaken = bulk ? maxBytes - maxBytes / INTERACTIVE_RESERVE : maxBytes;
        long own = held.bytes.addAndGet(size);
        refusal = refusal("in-flight.bytes", bytes.addAndGet(size), bytesTaken, held, own);
        if (refusal != null) {
            leave(held, size);
            throw refusal;
        }
        return held;
    }

    private @Nullable TaskMasterException refusal(String limit, long now, long max, Held held, long own) {
        if (now > max) {
            return overloaded(limit + ": reached (expected: at most " + max + ")");
        }
        if (now <= max - max / FAIR_RESERVE || held.requests.get() == 1) {
            return null;
        }
        long part = max / Math.max(2, callers.size());
        return own > part
                ? overloaded(limit + ": " + own + " of this caller (expected: at most its part, " + part
                        + ", while all callers are near the limit of " + max + ")")
                : null;
    }

    /** A reply is waiting for the network: never refused, because its work is done, but it counts. */
    void reply(Held held, long size) {
        bytes.addAndGet(size);
        held.bytes.addAndGet(size);
    }

    /**
     * A request is over.
     *
     * @param size of the request and its reply together
     */
    void leave(Held held, long size) {
        bytes.addAndGet(-size);
        held.bytes.addAndGet(-size);
        callers.computeIfPresent(held.caller, (_, one) -> one.requests.decrementAndGet() == 0 ? null : one);
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

    /** How many callers have something in flight. */
    int callers() {
        return callers.size();
    }

    private static TaskMasterException overloaded(String why) {
        return TaskMasterException.withoutStackTrace(ErrorCode.OVERLOADED, why, RETRY_OVERLOADED, null);
    }
}
