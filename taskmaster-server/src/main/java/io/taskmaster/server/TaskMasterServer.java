package io.taskmaster.server;

import com.google.common.base.Throwables;
import com.google.common.net.HostAndPort;
import io.taskmaster.proxy.access.Protection;
import io.taskmaster.proxy.config.PortSetting;
import io.taskmaster.proxy.config.Setting;
import io.taskmaster.proxy.health.NodeHealth;
import io.taskmaster.proxy.http.HttpServer;
import io.taskmaster.proxy.metrics.Metrics;
import io.taskmaster.proxy.program.ExitStatus;
import io.taskmaster.proxy.program.StartException;
import io.taskmaster.proxy.program.Version;
import io.taskmaster.proxy.rpc.RpcServer;
import io.taskmaster.proxy.rpc.RpcServerOptions;
import io.taskmaster.server.config.HistoryConfig;
import io.taskmaster.server.config.ServerConfig;
import io.taskmaster.server.insight.Insight;
import io.taskmaster.server.insight.WatchedQueues;
import io.taskmaster.server.insight.report.FlowCollector;
import io.taskmaster.server.insight.report.InsightService;
import io.taskmaster.server.partition.Node;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node of TaskMaster as a program. It wires the parts, starts them from the inside out, and stops them from the
 * outside in. Thread-safe.
 *
 * <p>Start: first the data and the partitions, then the gRPC port (whose health says NOT_SERVING), then the HTTP port,
 * which calls the service of the first; then health follows the partitions. The data come before the ports, so that a
 * second process on the same data fails for the data and not for a port.
 *
 * <p>Stop: health says NOT_SERVING, new requests are refused, the partitions answer what is in flight and write what is
 * dirty, the ports close.
 *
 * <pre>{@code
 * state    | event             | next     | effect
 * ---------+-------------------+----------+------------------------------------------------------------
 * starting | all parts started | serving  | health follows the partitions
 * starting | a part fails      | stopped  | started parts are closed in reverse order; it is thrown
 * serving  | stop(), close()   | stopped  | drained, then closed in reverse order
 * serving  | abort()           | stopped  | the gRPC port closes, the node is abandoned, the rest closes
 * stopped  | any               | stopped  | none
 * }</pre>
 *
 * <p>{@code stopped} chooses the one call that stops; {@code serving} is what health reports.
 */
public final class TaskMasterServer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(TaskMasterServer.class);

    private final CloseStack closeStack = new CloseStack();
    private final Node node;
    private final RpcServer rpc;
    private final HttpServer http;
    private final Duration shutdownTimeout;
    private final AtomicBoolean serving = new AtomicBoolean();
    private final ReentrantLock healthLock = new ReentrantLock();
    private final AtomicBoolean stopped = new AtomicBoolean();

    /** An opener of a listening port. */
    private interface Port<P> {

        P open() throws IOException;
    }

    private TaskMasterServer(ServerConfig config, NodeFactory nodes, RpcServerOptions options) throws StartException {
        shutdownTimeout = config.process().shutdownTimeout();
        try {
            // Before the data, so that invalid settings are detected at once.
            Protection protection =
                    closeStack.add(Protection.open(config.listen(), config.access()), Protection::close);
            // Before the parts that it measures: a registry that comes later would miss events.
            Metrics metrics = closeStack.add(new Metrics(), Metrics::close);
            node = closeStack.add(nodes.open(config, metrics.registry()), this::closeUnlessStopped);
            Insight insight =
                    closeStack.add(Insight.start(node, options.clock(), watched(config.history())), Insight::close);
            metrics.register(new FlowCollector(insight::insightTotals));
            rpc = closeStack.add(
                    listen(
                            PortSetting.LISTEN,
                            config.listen().rpc(),
                            () -> RpcServer.start(
                                    config.listen(),
                                    config.inFlight(),
                                    node,
                                    List.of(InsightService.of(node, insight)),
                                    metrics.registry(),
                                    options,
                                    protection)),
                    RpcServer::close);
            http = closeStack.add(
                    listen(
                            PortSetting.HTTP,
                            config.listen().http(),
                            () -> HttpServer.start(
                                    config.listen(),
                                    config.inFlight(),
                                    this::health,
                                    rpc::channelFor,
                                    metrics,
                                    protection)),
                    HttpServer::close);
            serving.set(true);
            node.followHealth(this::publishHealth);
            publishHealth();
            announce(config);
        } catch (StartException | RuntimeException | Error e) {
            // After any failure: threads that were left would keep a process alive that does not serve.
            closeStack.close();
            throw e;
        }
    }

    /** Returns whether the server serves, and if not, why. */
    private NodeHealth health() {
        NodeHealth now = node.health();
        return serving.get() ? now : now.notServing("starting or shutting down");
    }

    /** Publishes the health. One call at a time: otherwise an older state could overwrite a newer one. */
    private void publishHealth() {
        healthLock.lock();
        try {
            rpc.setServing(health().isServing());
        } finally {
            healthLock.unlock();
        }
    }

    /**
     * Starts a server and returns it when it serves. After a failure, everything that was started is stopped again.
     * Blocks.
     */
    public static TaskMasterServer start(ServerConfig config, NodeFactory nodes) throws StartException {
        return start(config, nodes, RpcServerOptions.PLAIN);
    }

    /** Starts a server as above, with the caller's own wiring around the service. */
    public static TaskMasterServer start(ServerConfig config, NodeFactory nodes, RpcServerOptions options)
            throws StartException {
        if (config.store().kind().isShared()) {
            // Another process that listens there may be a node of the same name: it must keep its data.
            requireFree(PortSetting.LISTEN, config.listen().rpc());
            requireFree(PortSetting.HTTP, config.listen().http());
        }
        return new TaskMasterServer(config, nodes, options);
    }

    private static WatchedQueues watched(HistoryConfig history) {
        return new WatchedQueues(history.queues(), history.pattern());
    }

    /**
     * Closes the node after a failed start. {@link #stop} and {@link #abort} end it before the other parts, and in
     * their own way.
     */
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
                "%s: %s (expected: a free address of this machine; %s)"
                        .formatted(
                                key.key(),
                                address,
                                Throwables.getRootCause(cause).getMessage()),
                cause);
    }

    private void announce(ServerConfig config) {
        LOG.atInfo()
                .addKeyValue("version", Version.current())
                .addKeyValue("listen", config.listen().rpc().getHost() + ":" + rpcPort())
                .addKeyValue("http", config.listen().http().getHost() + ":" + httpPort())
                .addKeyValue("store", config.store().kind().name().toLowerCase(Locale.ROOT))
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
     * Stops as a crash would, as far as possible in a process that lives on: connections are closed, no call is
     * answered, nothing more is written, and changes that were not written before are in the log only. Idempotent;
     * blocks.
     */
    public void abort() {
        if (stopped.getAndSet(true)) {
            return;
        }
        LOG.info("aborting");
        serving.set(false);
        rpc.close();
        node.abandon();
        closeStack.close();
    }

    /**
     * Completes, with the reason, once another node has the data: this server then answers no calls any more and must
     * be stopped.
     */
    public CompletableFuture<Throwable> lost() {
        return node.lost();
    }

    /** Drains and stops, like {@link #stop()}. */
    @Override
    public void close() {
        stop();
    }

    /**
     * Drains and stops. Blocks for at most about twice the configured timeout: once for the partitions, once for the
     * transmission of their last answers. Idempotent.
     *
     * @return whether everything ended in time: all requests answered, and all dirty state written
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
            // The node answers all it has, long polls included, so there is little to wait for after it.
            clean = closeNode();
            if (!rpc.drain(shutdownTimeout)) {
                LOG.warn("requests still in flight after {}; they fail", shutdownTimeout);
                clean = false;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            clean = false;
        } finally {
            closeStack.close();
        }
        LOG.info(clean ? "stopped" : "stopped without a clean shutdown; no acknowledged update is lost");
        return clean;
    }

    private boolean closeNode() throws InterruptedException {
        Thread closing = Thread.ofPlatform().name("node-close").daemon().start(node::close);
        if (!closing.join(shutdownTimeout)) {
            LOG.warn("partitions still open after {}; the next start replays their logs", shutdownTimeout);
            return false;
        }
        return true;
    }
}
