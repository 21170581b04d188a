package io.taskmaster.server;

import com.google.common.base.Throwables;
import com.google.common.net.HostAndPort;
import io.taskmaster.server.access.Protection;
import io.taskmaster.server.config.ServerConfig;
import io.taskmaster.server.config.Setting;
import io.taskmaster.server.health.NodeHealth;
import io.taskmaster.server.http.HttpServer;
import io.taskmaster.server.insight.Insight;
import io.taskmaster.server.insight.WatchedQueues;
import io.taskmaster.server.metrics.Metrics;
import io.taskmaster.server.partition.Node;
import io.taskmaster.server.rpc.PortWiring;
import io.taskmaster.server.rpc.RpcServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node of TaskMaster as a program: wires the parts, starts them from the inside out, and stops them from the outside in.
 * Thread-safe.
 *
 * <p>Starting: data and partitions, then the gRPC port (whose health says that nothing is served yet), then the HTTP port, which calls
 * the service of the first, then health says whether partitions serve. The data come before the ports, so that a second process on the same data is told about the data. Stopping: health
 * says NOT_SERVING, what is new is refused, the partitions answer what is in flight and write what is dirty, the ports close.
 */
public final class TaskMasterServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TaskMasterServer.class);

    private final Started started = new Started();
    private final Node node;
    private final RpcServer rpc;
    private final HttpServer http;
    private final Duration shutdownTimeout;
    private final AtomicBoolean serving = new AtomicBoolean();
    private final ReentrantLock healthLock = new ReentrantLock();
    private final AtomicBoolean stopped = new AtomicBoolean();

    /** Something that listens at an address. */
    private interface Port<P> {

        P open() throws IOException;
    }

    private TaskMasterServer(ServerConfig config, NodeFactory nodes, PortWiring wiring) throws StartException {
        shutdownTimeout = config.shutdownTimeout();
        try {
            // Before the data: settings that cannot be used are found out at once.
            Protection protection = started.add(Protection.open(config), Protection::close);
            // Before what it measures: a registry that comes later has missed something.
            Metrics metrics = started.add(new Metrics(), Metrics::close);
            node = started.add(nodes.open(config, metrics.registry()), this::closeUnlessStopped);
            Insight insight = started.add(Insight.start(node, wiring.clock(), watched(config)), Insight::close);
            metrics.show(insight::totals);
            rpc = started.add(
                    listen(
                            Setting.LISTEN,
                            config.listen(),
                            () -> RpcServer.start(config, node, insight, metrics.registry(), wiring, protection)),
                    RpcServer::close);
            http = started.add(
                    listen(
                            Setting.HTTP,
                            config.http(),
                            () -> HttpServer.start(config, this::health, rpc::channelFor, metrics, protection)),
                    HttpServer::close);
            serving.set(true);
            node.followHealth(this::tellHealth);
            tellHealth();
            announce(config);
        } catch (StartException | RuntimeException | Error e) {
            // Whatever it was: threads that were left would keep alive a process that serves nobody.
            started.close();
            throw e;
        }
    }

    /** Whether it serves, and why not. */
    private NodeHealth health() {
        NodeHealth now = node.health();
        return serving.get() ? now : now.notServing("starting, or shutting down");
    }

    /** One at a time, or an older answer could come after a newer one. */
    private void tellHealth() {
        healthLock.lock();
        try {
            rpc.setServing(health().isServing());
        } finally {
            healthLock.unlock();
        }
    }

    /** A server that serves. What was started before a failure is stopped again. Blocks. */
    public static TaskMasterServer start(ServerConfig config, NodeFactory nodes) throws StartException {
        return start(config, nodes, PortWiring.PLAIN);
    }

    /** The same, with something of the caller's own around the service. */
    public static TaskMasterServer start(ServerConfig config, NodeFactory nodes, PortWiring wiring)
            throws StartException {
        if (config.store().isShared()) {
            // Another process that listens there is another node of the same name: it keeps its data.
            requireFree(Setting.LISTEN, config.listen());
            requireFree(Setting.HTTP, config.http());
        }
        return new TaskMasterServer(config, nodes, wiring);
    }

    private static WatchedQueues watched(ServerConfig config) {
        return new WatchedQueues(config.history().queues(), config.history().pattern());
    }

    /** Who stops a server ends its node first, and in another way. */
    private void closeUnlessStopped(Node unserved) {
        if (!stopped.get()) {
            unserved.close();
        }
    }

    private static <P> P listen(Setting key, HostAndPort address, Port<P> port) throws StartException {
        try {
            return port.open();
        } catch (IOException e) {
            throw cannotListen(key, address, e);
        } catch (RuntimeException e) {
            Throwable root = Throwables.getRootCause(e);
            if (root instanceof IOException || root instanceof UnresolvedAddressException) {
                throw cannotListen(key, address, e);
            }
            throw e;
        }
    }

    private static void requireFree(Setting key, HostAndPort address) throws StartException {
        try (var socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(address.getHost(), address.getPort()));
        } catch (IOException e) {
            throw cannotListen(key, address, e);
        }
    }

    private static StartException cannotListen(Setting key, HostAndPort address, Exception cause) {
        return new StartException(
                ExitStatus.FAILURE,
                "%s: %s (expected: an address that is free; %s)"
                        .formatted(
                                key.key(),
                                address,
                                Throwables.getRootCause(cause).getMessage()),
                cause);
    }

    private void announce(ServerConfig config) {
        LOG.atInfo()
                .addKeyValue("version", Version.current())
                .addKeyValue("listen", config.listen().getHost() + ":" + rpcPort())
                .addKeyValue("http", config.http().getHost() + ":" + httpPort())
                .addKeyValue("store", config.store().name().toLowerCase(Locale.ROOT))
                .addKeyValue("partitions", node.partitions())
                .log("TaskMaster serves");
    }

    public int rpcPort() {
        return rpc.port();
    }

    public int httpPort() {
        return http.port();
    }

    /**
     * Stops as a crash would, as far as that goes in a process that lives on: connections break off, nobody is answered, nothing more is
     * written, and what was not written before is in the log alone. Idempotent; blocks.
     */
    public void abort() {
        if (stopped.getAndSet(true)) {
            return;
        }
        LOG.info("aborting");
        serving.set(false);
        rpc.close();
        node.abandon();
        started.close();
    }

    /** Complete, with the reason, once another node has the data: this server answers nothing any more, and is to be stopped. */
    public CompletableFuture<Throwable> lost() {
        return node.lost();
    }

    /** Drains and stops, as {@link #stop()}. */
    @Override
    public void close() {
        stop();
    }

    /**
     * Drains and stops. Blocks for at most about twice the configured timeout: once for the partitions, once for their last answers
     * to get on the wire. Idempotent.
     *
     * @return whether everything ended in time: requests answered, and what is dirty written
     */
    public boolean stop() {
        if (stopped.getAndSet(true)) {
            return true;
        }
        LOG.info("draining");
        serving.set(false);
        boolean clean = true;
        try {
            rpc.refuse();
            // The node answers what it has, long polls too, so there is little to wait for after it.
            clean = closeNode();
            if (!rpc.drain(shutdownTimeout)) {
                LOG.warn("requests were still in flight after {}", shutdownTimeout);
                clean = false;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            clean = false;
        } finally {
            started.close();
        }
        LOG.info(clean ? "stopped" : "stopped, not cleanly; nothing acknowledged is lost");
        return clean;
    }

    private boolean closeNode() throws InterruptedException {
        Thread closing = Thread.ofPlatform().name("node-close").daemon().start(node::close);
        if (!closing.join(shutdownTimeout)) {
            LOG.warn("the partitions were not closed after {}", shutdownTimeout);
            return false;
        }
        return true;
    }
}
