package io.taskmaster.proxy.rpc.call;

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
 * Admission control of a node: bounds on the requests in flight, and on the bytes of requests and of replies that the
 * network has not taken yet. A request over a bound is refused at once with {@code OVERLOADED}, before it costs
 * anything.
 *
 * <p>Three bounds apply to requests and, in the same way, to bytes:
 *
 * <ul>
 *   <li>The whole ({@code maxRequests}, {@code maxBytes}) for interactive work.
 *   <li>The whole less one part in {@link #INTERACTIVE_RESERVE} for bulk work, so that bulk work is refused earlier.
 *   <li>Above the bound less one part in {@link #FAIR_RESERVE}, a caller with more than one request in flight is
 *       refused if it has more than its share: the bound divided by the number of callers in flight, of which at least
 *       two are assumed. A caller that asks for ever more therefore does not have others refused.
 * </ul>
 *
 * <p>A request is counted first and taken back on refusal, so the bounds hold without a lock. The price is that
 * concurrent requests may be refused although one of them would have fit. Replies are never refused, since their work
 * is done, but they count.
 *
 * <p>See ADR 8 (overload) and ADR 16 (fair admission). Thread-safe; no call but {@link #awaitIdle} blocks for long.
 */
public final class InFlightLimiter implements MeterBinder {

    private static final Duration RETRY_OVERLOADED = Duration.ofMillis(100);
    private static final Duration RETRY_ELSEWHERE = Duration.ofSeconds(1);

    /** The reciprocal of the part that is reserved for interactive work. */
    static final int INTERACTIVE_RESERVE = 4;

    /**
     * The reciprocal of the part that is reserved for callers with less than their share in flight. A share is the
     * bound divided by the number of callers that have something in flight.
     */
    static final int FAIR_RESERVE = 8;

    /** The requests and bytes that one caller has in flight. Thread-safe. */
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

    /** Callers with something in flight, by name. An entry goes with the last request of its caller. */
    private final ConcurrentHashMap<String, Held> callers = new ConcurrentHashMap<>();

    private final CompletableFuture<Void> idle = new CompletableFuture<>();
    private volatile boolean draining;

    public InFlightLimiter(int maxRequests, long maxBytes) {
        this.maxRequests = maxRequests;
        this.maxBytes = maxBytes;
    }

    /**
     * Registers the gauges {@code taskmaster.in.flight.requests} and {@code taskmaster.in.flight.used} (bytes), each
     * with its bound ({@code .requests.max}, {@code .max}), and {@code taskmaster.in.flight.callers}.
     */
    @Override
    public void bindTo(MeterRegistry registry) {
        gauge(registry, "requests", "Requests in flight", InFlightLimiter::requests, null);
        gauge(
                registry,
                "requests.max",
                "Maximum requests in flight",
                inFlightLimiter -> inFlightLimiter.maxRequests,
                null);
        gauge(registry, "callers", "Callers with requests in flight", InFlightLimiter::callers, null);
        gauge(registry, "used", "Bytes of requests and replies in flight", InFlightLimiter::bytes, "bytes");
        gauge(
                registry,
                "max",
                "Maximum bytes of requests and replies in flight",
                inFlightLimiter -> (double) inFlightLimiter.maxBytes,
                "bytes");
    }

    private void gauge(
            MeterRegistry registry,
            String metric,
            String description,
            ToDoubleFunction<InFlightLimiter> value,
            @Nullable String unit) {
        Gauge.builder("taskmaster.in.flight." + metric, this, value)
                .description(description)
                .baseUnit(unit)
                .register(registry);
    }

    /**
     * Admits a request of this size, or throws {@code OVERLOADED} or {@code SHUTTING_DOWN}.
     *
     * @param size of the request, in bytes
     * @param bulk whether the request yields to interactive work
     * @param caller the name that its share is counted by
     * @return the account of the caller, to be passed to {@link #reply} and {@link #release}
     */
    Held enter(long size, boolean bulk, String caller) {
        Held held = callers.compute(caller, (name, known) -> {
            Held one = known == null ? new Held(name) : known;
            one.requests.incrementAndGet();
            return one;
        });
        long requestLimit = bulk ? maxRequests - maxRequests / INTERACTIVE_RESERVE : maxRequests;
        long count = requests.incrementAndGet();
        // Counted before the flag is read. drain() does the opposite, so that one of the two sees the other.
        TaskMasterException refusal = draining
                ? shuttingDown()
                : refusal("in-flight.requests", count, requestLimit, held, held.requests.get());
        if (refusal != null) {
            release(held, 0);
            throw refusal;
        }
        long byteLimit = bulk ? maxBytes - maxBytes / INTERACTIVE_RESERVE : maxBytes;
        long own = held.bytes.addAndGet(size);
        refusal = refusal("in-flight.bytes", bytes.addAndGet(size), byteLimit, held, own);
        if (refusal != null) {
            release(held, size);
            throw refusal;
        }
        return held;
    }

    private static TaskMasterException shuttingDown() {
        return TaskMasterException.withoutStackTrace(
                ErrorCode.SHUTTING_DOWN, "the node is shutting down", RETRY_ELSEWHERE, null);
    }

    private @Nullable TaskMasterException refusal(String limit, long now, long max, Held held, long own) {
        if (now > max) {
            return overloaded(limit + ": limit reached (expected: at most " + max + ")");
        }
        // A first request is exempt, so that a single large one of a caller with nothing else in flight is not refused
        // for its size.
        if (now <= max - max / FAIR_RESERVE || held.requests.get() == 1) {
            return null;
        }
        long part = max / Math.max(2, callers.size());
        return own > part
                ? overloaded(limit + ": " + own + " of this caller (expected: at most its share, " + part
                        + ", while all callers together are near the limit of " + max + ")")
                : null;
    }

    /** Counts a reply that waits for the network. Never refuses: the work is done. */
    void reply(Held held, long size) {
        bytes.addAndGet(size);
        held.bytes.addAndGet(size);
    }

    /**
     * Ends a request.
     *
     * @param size of the request and its reply together, in bytes
     */
    void release(Held held, long size) {
        bytes.addAndGet(-size);
        held.bytes.addAndGet(-size);
        // Inside the map's atomic step, as the increment in enter: an entry never goes while its caller enters.
        callers.computeIfPresent(held.caller, (_, one) -> one.requests.decrementAndGet() == 0 ? null : one);
        if (requests.decrementAndGet() == 0 && draining) {
            idle.complete(null);
        }
    }

    /** Refuses every request from now on, and makes long polls end. */
    public void drain() {
        draining = true;
        if (requests.get() == 0) {
            idle.complete(null);
        }
    }

    /**
     * Blocks until nothing is in flight any more, after {@link #drain()}.
     *
     * @return false if that takes longer than the limit
     */
    public boolean awaitIdle(Duration limit) throws InterruptedException {
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

    public long requests() {
        return requests.get();
    }

    public long bytes() {
        return bytes.get();
    }

    /** The number of callers with something in flight. */
    int callers() {
        return callers.size();
    }

    private static TaskMasterException overloaded(String detail) {
        return TaskMasterException.withoutStackTrace(ErrorCode.OVERLOADED, detail, RETRY_OVERLOADED, null);
    }
}
