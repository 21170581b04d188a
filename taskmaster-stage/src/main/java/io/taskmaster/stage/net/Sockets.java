package io.taskmaster.stage.net;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.taskmaster.stage.Sink;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** The sockets of a process, and the threads that they share. Thread-safe. */
public final class Sockets implements AutoCloseable {

    /** The most threads. */
    public static final int MAX_THREADS = 1_000;

    private static final Duration LAST_STEPS = Duration.ofSeconds(5);

    private final EventLoopGroup loops;
    private final ByteBufAllocator allocator;
    private final Map<String, Endpoint> endpoints = new ConcurrentHashMap<>();
    private volatile boolean closed;

    private Sockets(int threads, ByteBufAllocator allocator) {
        if (threads < 1 || threads > MAX_THREADS) {
            throw new IllegalArgumentException("threads: %d (expected: 1 to %d)".formatted(threads, MAX_THREADS));
        }
        this.loops = new MultiThreadIoEventLoopGroup(
                threads, new DefaultThreadFactory("sockets", true), NioIoHandler.newFactory());
        this.allocator = allocator;
    }

    /** Starts with as many threads as processors. */
    public static Sockets start() {
        return start(Runtime.getRuntime().availableProcessors());
    }

    public static Sockets start(int threads) {
        return start(threads, ByteBufAllocator.DEFAULT);
    }

    static Sockets start(int threads, ByteBufAllocator allocator) {
        return new Sockets(threads, allocator);
    }

    /**
     * Makes an endpoint, which does nothing until it listens or connects.
     *
     * @param name a name that no endpoint has that is not drained
     * @param framing the framing of messages that arrive and, unless set otherwise, of those that are sent
     * @param sink receives the messages. It must not block: not a stage that
     *     {@linkplain io.taskmaster.stage.local.Overflow#block waits} for credits. A stage without a boundary handles
     *     them on the threads of the sockets
     */
    public Endpoint endpoint(
            String name, Framing framing, Sink<? super Message> sink, UnaryOperator<EndpointSettings> settings) {
        Endpoint made = new Endpoint(name, settings.apply(EndpointSettings.of(framing)), sink, loops, allocator);
        if (endpoints.putIfAbsent(name, made) != null) {
            throw new IllegalArgumentException("endpoint: duplicate name %s (expected: unique names)".formatted(name));
        }
        made.onceDrained(() -> endpoints.remove(name, made));
        // Either this sees the flag, or close() sees the endpoint.
        if (closed) {
            var unused = made.drain(Duration.ZERO);
            throw new IllegalStateException("sockets: closed (expected: open, to create %s)".formatted(name));
        }
        return made;
    }

    /** Makes an endpoint with the default settings. */
    public Endpoint endpoint(String name, Framing framing, Sink<? super Message> sink) {
        return endpoint(name, framing, sink, settings -> settings);
    }

    /** Returns the status of every endpoint that is not drained. */
    public List<EndpointStatus> status() {
        return endpoints.values().stream().map(Endpoint::status).toList();
    }

    /** Drains all endpoints at once, for {@link Endpoint#DEFAULT_DRAIN} at most. Idempotent; blocks. */
    @Override
    public void close() {
        closed = true;
        CompletableFuture.allOf(endpoints.values().stream()
                        .map(endpoint -> endpoint.drain(Endpoint.DEFAULT_DRAIN))
                        .toArray(CompletableFuture[]::new))
                .join();
        loops.shutdownGracefully(0, LAST_STEPS.toNanos(), TimeUnit.NANOSECONDS).awaitUninterruptibly();
    }
}
