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
 * Connections of one kind: where they listen, and those that it makes; with one sink for what they bring, and one set of limits. Made by {@link Sockets#endpoint}.
 * Thread-safe.
 */
public final class Endpoint implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Endpoint.class);

    /** How long {@link #close} waits for what is in hand. */
    public static final Duration DEFAULT_DRAIN = Duration.ofSeconds(25);

    private static final Duration LONGEST_DRAIN = Duration.ofDays(1);

    private final String name;
    private final EndpointSettings settings;
    private final Sink<? super Message> sink;
    private final EventLoopGroup loops;
    private final ByteBufAllocator allocator;
    private final Tally tally = new Tally();
    private final Warnings warnings;
    private final Shortage shortage;
    private final Map<EventLoop, WaitingLine> lines = new ConcurrentHashMap<>();
    private final Map<Channel, Entrance> entrances = new ConcurrentHashMap<>();
    private final Set<Conversation> conversations = ConcurrentHashMap.newKeySet();

    /** Those that are open, and those that are being made. */
    private final Set<Channel> channels = ConcurrentHashMap.newKeySet();

    /** How many of them there are, or are about to be: each entrance has one for the next that it accepts. */
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
        this.shortage = new Shortage(
                settings,
                loops,
                this::freed,
                sinceNanos -> conversations.forEach(conversation -> conversation.look(sinceNanos)));
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

    Tally tally() {
        return tally;
    }

    Budget budget() {
        return shortage.budget();
    }

    // Connections come.

    /**
     * Accepts connections at an address from now on. Blocks for a moment.
     *
     * @param address its port may be 0: then any is chosen
     * @return where it listens
     * @throws IOException if it cannot, or is closed
     */
    public InetSocketAddress listen(InetSocketAddress address) throws IOException {
        Entrance entrance = new Entrance(this);
        ChannelFuture bound = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.ALLOCATOR, allocator)
                .option(ChannelOption.AUTO_READ, false)
                .handler(entrance)
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
        entrances.put(listening, entrance);
        var _ = listening.closeFuture().addListener(_ -> {
            entrances.remove(listening);
            completeIfDrained();
        });
        // Who left before it was known has not told it.
        entrance.placeFree();
        if (closed) {
            var _ = listening.close();
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

    /** It has the place that its entrance had for it. */
    void accepted(Channel channel) {
        Runnable _ = giveBackAtEnd(channel);
    }

    void cannotAccept(Throwable cause) {
        tally.acceptFailures.increment();
        warnings.warn("accept", "cannot accept a connection; tried again in a moment", cause);
    }

    /**
     * Makes a connection. The future fails if it cannot be made, if there are as many as may be, and after closing.
     *
     * @param peer resolved
     */
    public CompletableFuture<Connection> connect(InetSocketAddress peer) {
        CompletableFuture<Connection> made = new CompletableFuture<>();
        if (peer.isUnresolved()) {
            made.completeExceptionally(new IOException("peer: %s (expected: a known host)".formatted(peer)));
            return made;
        }
        if (!takePlace()) {
            tally.refused.increment();
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
        Runnable giveBack = giveBackAtEnd(connected.channel());
        var _ = connected.addListener(done -> {
            Conversation conversation = connected.channel().pipeline().get(Conversation.class);
            if (done.isSuccess() && conversation != null) {
                made.complete(conversation.connection());
            } else {
                // A channel that could not be made, for want of a file descriptor, is never closed.
                giveBack.run();
                made.completeExceptionally(new IOException("cannot connect to %s".formatted(peer), done.cause()));
            }
        });
        return made;
    }

    /** Puts a connection into a channel that is about to open. */
    Conversation begin(Channel channel) {
        Decoder decoder = settings.reads().decoder();
        Traffic traffic = new Traffic(tally.bytesIn);
        Conversation conversation = new Conversation(
                this, channel, decoder, traffic, lines.computeIfAbsent(channel.eventLoop(), WaitingLine::new));
        channel.pipeline().addLast(traffic);
        settings.idle()
                .ifPresent(idle -> channel.pipeline()
                        .addLast(new IdleStateHandler(false, 0, 0, idle.toNanos(), TimeUnit.NANOSECONDS)));
        channel.pipeline().addLast(decoder.handler(), conversation);
        return conversation;
    }

    boolean takePlace() {
        int before;
        do {
            before = places.get();
            if (closed || before >= settings.maxConnections()) {
                return false;
            }
        } while (!places.compareAndSet(before, before + 1));
        if (closed) {
            givePlaceBack();
            return false;
        }
        return true;
    }

    /** Gives a channel's place back once: when it is closed, or when the caller says so. */
    private Runnable giveBackAtEnd(Channel channel) {
        channels.add(channel);
        Runnable giveBack = () -> {
            if (channels.remove(channel)) {
                givePlaceBack();
            }
        };
        var _ = channel.closeFuture().addListener(_ -> giveBack.run());
        return giveBack;
    }

    void givePlaceBack() {
        places.decrementAndGet();
        entrances.values().forEach(Entrance::placeFree);
        completeIfDrained();
    }

    private void completeIfDrained() {
        if (closed && entrances.isEmpty() && places.get() == 0 && conversations.isEmpty()) {
            drained.complete(null);
        }
    }

    // What conversations tell.

    void opened(Conversation conversation) {
        conversations.add(conversation);
        tally.opened.increment();
        tell(() -> settings.watcher().opened(conversation.connection()));
        if (closed) {
            conversation.close(shutDown());
        }
    }

    void ended(Conversation conversation, Ending why) {
        tally.ended(why);
        conversations.remove(conversation);
        LOG.debug("endpoint {}: {} has ended, {}", name, conversation.connection(), why);
        tell(() -> settings.watcher().ended(conversation.connection(), why));
        completeIfDrained();
    }

    /** A message is done: there may be room in the sink. */
    void freed() {
        for (WaitingLine line : lines.values()) {
            line.poke();
        }
    }

    @SuppressWarnings("CatchingUnchecked") // Whatever a watcher throws, connections go on.
    void tell(Runnable watching) {
        try {
            watching.run();
        } catch (Throwable e) {
            LOG.error("endpoint {}: who watches it failed", name, e);
        }
    }

    // The end.

    /**
     * Accepts and reads no more. Every connection ends when what is in hand is answered and sent, or when the deadline is over. Completes when all have ended. Does not block.
     */
    public CompletableFuture<Void> drain(Duration deadline) {
        closed = true;
        for (Channel listening : entrances.keySet()) {
            var _ = listening.close();
        }
        conversations.forEach(conversation -> conversation.close(shutDown()));
        completeIfDrained();
        if (!drained.isDone()) {
            Duration bounded = deadline.compareTo(LONGEST_DRAIN) > 0 ? LONGEST_DRAIN : deadline;
            var alarm =
                    loops.schedule(() -> endAll(bounded), Math.max(0, Deadlines.nanos(bounded)), TimeUnit.NANOSECONDS);
            CompletableFuture<?> _ = drained.thenRun(() -> alarm.cancel(false));
        }
        return drained.copy();
    }

    private void endAll(Duration after) {
        Ending late = new Ending(Ending.Cause.DEADLINE, "not answered, or not read, in %s".formatted(after));
        conversations.forEach(conversation -> conversation.abort(late));
        // Also those that are being made.
        for (Channel channel : channels) {
            var _ = channel.close();
        }
    }

    void onceDrained(Runnable then) {
        CompletableFuture<?> _ = drained.thenRun(then);
    }

    private static Ending shutDown() {
        return new Ending(Ending.Cause.CLOSED, "the endpoint is closed");
    }

    /** Drains it, for {@link #DEFAULT_DRAIN} at most. Idempotent; blocks. */
    @Override
    public void close() {
        drain(DEFAULT_DRAIN).join();
    }

    /** What it is doing. */
    public EndpointStatus status() {
        long inHand = 0;
        long inputBytes = 0;
        long waitingBytes = 0;
        for (Conversation conversation : conversations) {
            inHand += conversation.inHand();
            inputBytes += conversation.inputBytes();
            waitingBytes += conversation.waitingBytes();
        }
        return tally.status(name, conversations.size(), inHand, inputBytes, waitingBytes, budget());
    }
}
