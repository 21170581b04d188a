package io.taskmaster.stage.net;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.timeout.IdleStateHandler;
import io.taskmaster.client.Timer;
import io.taskmaster.stage.Sink;
import io.taskmaster.stage.guard.Warnings;
import io.taskmaster.stage.net.memory.Budget;
import io.taskmaster.time.Deadlines;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A set of connections with one {@link Sink} for their messages, one set of limits and one memory budget: those that it
 * accepts where it listens, and those that it makes. Made by {@link Sockets#endpoint}. Thread-safe.
 *
 * <p>Each connection is a {@code ConnectionHandler} on one event loop. Connections of one event loop whose message the
 * sink refused wait in a {@code WaitQueue} of that loop; a message that is done anywhere pokes all lines. The
 * {@code Budget} is behind the {@code MemoryPressure}, which ends connections that hold memory without progress
 * (docs/adr/0019-one-budget-for-all-connections-of-an-endpoint.md).
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>A connection has a <i>place</i> before it is accepted or made, and until it has ended; there are
 *       {@link EndpointSettings#maxConnections} places. Each {@code ConnectionAdmission} holds one for the next
 *       connection that it accepts, so none is accepted to be closed.
 *   <li>A place is returned exactly once: when the connection has ended, or where its channel could not be made.
 *   <li>After {@link #drain} no place is taken. The flag is set before places and connections are examined, and it is
 *       checked after they were added, so that no connection is missed.
 * </ul>
 *
 * <pre>{@code
 * state    | event                               | next state | effect
 * OPEN     | listen, connect                     | OPEN       | a place first, then the connection
 * OPEN     | drain                               | DRAINING   | entrances close; connections end in order
 * DRAINING | listen, connect                     | DRAINING   | IOException
 * DRAINING | deadline                            | DRAINING   | connections end at once (DEADLINE)
 * DRAINING | no entrances, places or connections | DRAINED    | the future of the drain completes
 * }</pre>
 */
public final class Endpoint implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Endpoint.class);

    /** The time that {@link #close} waits for messages in flight. */
    public static final Duration DEFAULT_DRAIN = Duration.ofSeconds(25);

    private static final Duration MAX_DRAIN = Duration.ofDays(1);

    private final String name;
    private final EndpointSettings settings;
    private final Sink<? super Message> sink;
    private final EventLoopGroup loops;
    private final ByteBufAllocator allocator;
    private final EndpointCounters endpointCounters = new EndpointCounters();
    private final Warnings warnings;
    private final MemoryPressure memoryPressure;
    private final Map<EventLoop, WaitQueue> lines = new ConcurrentHashMap<>();
    private final Map<Channel, ConnectionAdmission> listeners = new ConcurrentHashMap<>();
    private final Set<ConnectionHandler> connectionHandlers = ConcurrentHashMap.newKeySet();

    /** The channels of connections that are open or being made. */
    private final Set<Channel> channels = ConcurrentHashMap.newKeySet();

    /**
     * The number of places in use: those of {@link #channels}, and one of each entrance for the next connection that it
     * accepts.
     */
    private final AtomicInteger places = new AtomicInteger();

    private final CompletableFuture<Void> drained = new CompletableFuture<>();
    private volatile boolean closed;

    Endpoint(
            String name,
            EndpointSettings settings,
            Sink<? super Message> sink,
            EventLoopGroup loops,
            ByteBufAllocator allocator) {
        this.name = name;
        this.settings = settings;
        this.sink = sink;
        this.loops = loops;
        this.allocator = allocator;
        this.warnings = new Warnings("endpoint " + name, LOG, Timer.SYSTEM);
        this.memoryPressure = new MemoryPressure(
                settings,
                loops,
                this::freed,
                sinceNanos ->
                        connectionHandlers.forEach(connectionHandler -> connectionHandler.checkMemory(sinceNanos)));
    }

    public String name() {
        return name;
    }

    EndpointSettings settings() {
        return settings;
    }

    Sink<? super Message> sink() {
        return sink;
    }

    EndpointCounters endpointCounters() {
        return endpointCounters;
    }

    Budget budget() {
        return memoryPressure.budget();
    }

    // New connections.

    /**
     * Accepts connections at an address from now on. Blocks for a moment.
     *
     * @param address the port may be 0: then the operating system chooses one
     * @return the address at which it listens
     * @throws IOException if it cannot listen there, or the endpoint is closed
     */
    public InetSocketAddress listen(InetSocketAddress address) throws IOException {
        ConnectionAdmission connectionAdmission = new ConnectionAdmission(this);
        ChannelFuture bound = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.ALLOCATOR, allocator)
                .option(ChannelOption.AUTO_READ, false)
                .handler(connectionAdmission)
                .childOption(ChannelOption.ALLOCATOR, allocator)
                .childOption(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childHandler(initializer(this::begin))
                .bind(address)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException("cannot listen at %s".formatted(address), bound.cause());
        }
        Channel listening = bound.channel();
        listeners.put(listening, connectionAdmission);
        listening.closeFuture().addListener(future -> {
            listeners.remove(listening);
            completeIfDrained();
        });
        // A place that came free before the entrance was registered has not called it.
        connectionAdmission.placeFree();
        if (closed) {
            var unused = listening.close();
            throw new IOException("endpoint %s: closed (expected: open, to listen)".formatted(name));
        }
        return (InetSocketAddress) listening.localAddress();
    }

    private static ChannelInitializer<Channel> initializer(Consumer<Channel> begin) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                begin.accept(channel);
            }
        };
    }

    /** Registers an accepted channel, to which the place of its entrance passes. */
    void accepted(Channel channel) {
        releaseAtEnd(channel);
    }

    void cannotAccept(Throwable cause) {
        endpointCounters.acceptFailures.increment();
        warnings.warn("accept", "cannot accept a connection; retrying shortly", cause);
    }

    /**
     * Makes a connection. The future fails with an {@link IOException} if it cannot be made, if all places are taken,
     * and after closing.
     *
     * @param peer a resolved address
     */
    public CompletableFuture<PeerConnection> connect(InetSocketAddress peer) {
        CompletableFuture<PeerConnection> made = new CompletableFuture<>();
        if (peer.isUnresolved()) {
            made.completeExceptionally(new IOException("peer: %s (expected: a known host)".formatted(peer)));
            return made;
        }
        if (!tryTakePlace()) {
            endpointCounters.refused.increment();
            made.completeExceptionally(
                    new IOException("endpoint %s: %s (expected: open, with fewer than %d connections)"
                            .formatted(name, closed ? "closed" : "full", settings.maxConnections())));
            return made;
        }
        ChannelFuture connected = new Bootstrap()
                .group(loops)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.ALLOCATOR, allocator)
                .option(ChannelOption.AUTO_READ, false)
                .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .handler(initializer(this::begin))
                .connect(peer);
        releaseAtEnd(connected.channel());
        connected.addListener(done -> {
            ConnectionHandler connectionHandler = connected.channel().pipeline().get(ConnectionHandler.class);
            if (done.isSuccess() && connectionHandler != null) {
                made.complete(connectionHandler.connection());
            } else {
                // A channel that could not be made, for want of a file descriptor, is never closed.
                release(connected.channel());
                made.completeExceptionally(new IOException("cannot connect to %s".formatted(peer), done.cause()));
            }
        });
        return made;
    }

    /** Sets up a channel that is about to open, with a new handler. */
    ConnectionHandler begin(Channel channel) {
        Decoder decoder = settings.reads().decoder();
        Traffic traffic = new Traffic(endpointCounters.bytesIn);
        ConnectionHandler connectionHandler = new ConnectionHandler(
                this, channel, decoder, traffic, lines.computeIfAbsent(channel.eventLoop(), WaitQueue::new));
        channel.pipeline().addLast(traffic);
        settings.idle()
                .ifPresent(idle -> channel.pipeline()
                        .addLast(new IdleStateHandler(false, 0, 0, idle.toNanos(), TimeUnit.NANOSECONDS)));
        channel.pipeline().addLast(decoder.handler(), connectionHandler);
        return connectionHandler;
    }

    boolean tryTakePlace() {
        int before;
        do {
            before = places.get();
            if (closed || before >= settings.maxConnections()) {
                return false;
            }
        } while (!places.compareAndSet(before, before + 1));
        // drain() sets the flag before it reads the places, so one of the two sees the other.
        if (closed) {
            releasePlace();
            return false;
        }
        return true;
    }

    /**
     * Makes sure that the place of a channel is given back, once: by {@link #ended} if it has a handler, else when it
     * is closed. A channel is closed before its handler knows, and must not make room for another one until then: else
     * there would be more connections than places for a moment.
     */
    private void releaseAtEnd(Channel channel) {
        channels.add(channel);
        channel.closeFuture().addListener(future -> {
            ConnectionHandler connectionHandler = channel.pipeline().get(ConnectionHandler.class);
            if (connectionHandler == null || !connectionHandlers.contains(connectionHandler)) {
                release(channel);
            }
        });
    }

    private void release(Channel channel) {
        if (channels.remove(channel)) {
            releasePlace();
        }
    }

    void releasePlace() {
        places.decrementAndGet();
        listeners.values().forEach(ConnectionAdmission::placeFree);
        completeIfDrained();
    }

    private void completeIfDrained() {
        if (closed && listeners.isEmpty() && places.get() == 0 && connectionHandlers.isEmpty()) {
            drained.complete(null);
        }
    }

    // Calls from connections.

    void opened(ConnectionHandler connectionHandler) {
        connectionHandlers.add(connectionHandler);
        endpointCounters.opened.increment();
        notifyWatcher(() -> settings.watcher().opened(connectionHandler.connection()));
        // drain() sets the flag before it walks the connections, so one of the two closes this one.
        if (closed) {
            connectionHandler.close(shutDown());
        }
    }

    void ended(ConnectionHandler connectionHandler, Channel channel, CloseReason why) {
        endpointCounters.ended(why);
        connectionHandlers.remove(connectionHandler);
        release(channel);
        LOG.debug("endpoint {}: {} ended: {}", name, connectionHandler.connection(), why);
        notifyWatcher(() -> settings.watcher().ended(connectionHandler.connection(), why));
        completeIfDrained();
    }

    /** Pokes all lines, since a message is done and the sink may take another one. */
    void freed() {
        for (WaitQueue line : lines.values()) {
            line.signal();
        }
    }

    void dropped(Message message, String reason) {
        endpointCounters.dropped.increment();
        notifyWatcher(() -> settings.watcher().dropped(message, reason));
    }

    @SuppressWarnings("CatchingUnchecked") // A watcher's exception must not affect connections.
    void notifyWatcher(Runnable notification) {
        try {
            notification.run();
        } catch (Throwable e) {
            LOG.error("endpoint {}: its watcher threw an exception", name, e);
        }
    }

    // The end.

    /**
     * Accepts no connections and reads no bytes from now on. Every connection ends when its messages in flight are
     * answered and the answers are sent, or at the deadline. The future completes when all have ended. Does not block.
     *
     * @param deadline the time that it may take, at most one day
     */
    public CompletableFuture<Void> drain(Duration deadline) {
        closed = true;
        for (Channel listening : listeners.keySet()) {
            var unused = listening.close();
        }
        connectionHandlers.forEach(connectionHandler -> connectionHandler.close(shutDown()));
        completeIfDrained();
        if (!drained.isDone()) {
            Duration bounded = deadline.compareTo(MAX_DRAIN) > 0 ? MAX_DRAIN : deadline;
            var alarm =
                    loops.schedule(() -> endAll(bounded), Math.max(0, Deadlines.nanos(bounded)), TimeUnit.NANOSECONDS);
            var unused = drained.thenRun(() -> alarm.cancel(false));
        }
        return drained.copy();
    }

    private void endAll(Duration after) {
        CloseReason late =
                new CloseReason(CloseReason.Cause.DEADLINE, "not answered or not read within %s".formatted(after));
        connectionHandlers.forEach(connectionHandler -> connectionHandler.abort(late));
        // Includes connections that are being made.
        for (Channel channel : channels) {
            var unused = channel.close();
        }
    }

    void onceDrained(Runnable action) {
        var unused = drained.thenRun(action);
    }

    private static CloseReason shutDown() {
        return new CloseReason(CloseReason.Cause.CLOSED, "the endpoint is closed");
    }

    /** Drains it, for {@link #DEFAULT_DRAIN} at most. Idempotent; blocks. */
    @Override
    public void close() {
        drain(DEFAULT_DRAIN).join();
    }

    /** Returns the current status. */
    public EndpointStatus status() {
        long inFlight = 0;
        long inputBytes = 0;
        long waitingBytes = 0;
        for (ConnectionHandler connectionHandler : connectionHandlers) {
            inFlight += connectionHandler.inFlightMessages();
            inputBytes += connectionHandler.inputBytes();
            waitingBytes += connectionHandler.waitingBytes();
        }
        return endpointCounters.status(name, connectionHandlers.size(), inFlight, inputBytes, waitingBytes, budget());
    }
}
