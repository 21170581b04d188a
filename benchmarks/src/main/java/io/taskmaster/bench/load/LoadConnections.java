package io.taskmaster.bench.load;

import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/**
 * The connections of one run, spread over at most as many threads as there are cores. The load generator shares the
 * machine with the server, so each of its threads competes with the server for processor time.
 */
public final class LoadConnections implements AutoCloseable {

    private static final int CONNECT_LIMIT_SECONDS = 20;

    private final List<IoEventLoopGroup> loops = new ArrayList<>();
    private final List<LoadConnection> connections = new ArrayList<>();

    private LoadConnections() {}

    /**
     * Connects to a server before a load starts, so that no load measures the connecting. Blocks for at most 20 s.
     *
     * @throws IllegalStateException if a connection cannot be established
     */
    public static LoadConnections open(InetSocketAddress address, int count) {
        LoadConnections opened = prepare(address, count);
        try {
            CompletableFuture.allOf(opened.connections.stream()
                            .map(LoadConnection::established)
                            .toArray(CompletableFuture[]::new))
                    .orTimeout(CONNECT_LIMIT_SECONDS, TimeUnit.SECONDS)
                    .join();
            return opened;
        } catch (CompletionException e) {
            opened.close();
            throw new IllegalStateException("cannot connect to " + address, e);
        }
    }

    private static LoadConnections prepare(InetSocketAddress address, int count) {
        LoadConnections opened = new LoadConnections();
        int threads = Math.min(count, Runtime.getRuntime().availableProcessors());
        for (int i = 0; i < threads; i++) {
            opened.loops.add(new MultiThreadIoEventLoopGroup(
                    1, new DefaultThreadFactory("bench-" + i, true), NioIoHandler.newFactory()));
        }
        for (int i = 0; i < count; i++) {
            opened.connections.add(new LoadConnection(address, opened.loops.get(i % threads)));
        }
        return opened;
    }

    /** The connections, in a fixed order. */
    public List<LoadConnection> all() {
        return connections;
    }

    /** The first connection, for single calls. */
    public LoadConnection first() {
        return connections.getFirst();
    }

    /** Closes the connections, then their threads. Blocks for at most a few seconds, and is not interruptible. */
    @Override
    public void close() {
        for (LoadConnection loadConnection : connections) {
            loadConnection.close();
        }
        for (IoEventLoopGroup loop : loops) {
            loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
        }
    }
}
