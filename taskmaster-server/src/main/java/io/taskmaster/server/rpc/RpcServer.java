package io.taskmaster.server.rpc;

import com.google.common.net.HostAndPort;
import io.grpc.Channel;
import io.grpc.Server;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.taskmaster.server.config.Limits;
import io.taskmaster.server.config.ServerConfig;
import io.taskmaster.server.partition.Node;
import io.taskmaster.v1.TaskMasterGrpc;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The gRPC port: the service, health and reflection. Handlers run on the network's threads ({@code directExecutor}), because they
 * only hand on. Thread-safe.
 */
public final class RpcServer implements AutoCloseable {

    private static final int CLIENT_KEEPALIVE_SECONDS = 10;
    private static final int CLOSE_SECONDS = 5;

    private final Admission admission;
    private final HealthStatusManager health = new HealthStatusManager();
    private final Server server;
    private final InProcessPort inProcess;

    private RpcServer(ServerConfig config, Node node, PortWiring wiring) throws IOException {
        HostAndPort listen = config.listen();
        admission = new Admission(config.inFlightRequests(), config.inFlightBytes());
        ServerServiceDefinition service = ServerInterceptors.intercept(
                new TaskMasterService(node, admission, listen.toString(), wiring.clock(), Aside.DEFAULT).definition(),
                wiring.interceptors());
        setHealth(ServingStatus.NOT_SERVING);
        inProcess = InProcessPort.open(service);
        server = NettyServerBuilder.forAddress(new InetSocketAddress(listen.getHost(), listen.getPort()))
                .directExecutor()
                .maxInboundMessageSize(Limits.MESSAGE_BYTES)
                .permitKeepAliveTime(CLIENT_KEEPALIVE_SECONDS, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true)
                .addTransportFilter(new Peers())
                .addService(service)
                .addService(new InsightService(node, wiring.clock(), Aside.DEFAULT))
                .addService(health.getHealthService())
                .addService(ProtoReflectionServiceV1.newInstance())
                .build();
    }

    /** Opens the port. Health says NOT_SERVING until {@link #serving()} is called. */
    public static RpcServer start(ServerConfig config, Node node, PortWiring wiring) throws IOException {
        var rpc = new RpcServer(config, node, wiring);
        try {
            rpc.server.start();
        } catch (IOException e) {
            rpc.inProcess.close();
            throw e;
        }
        return rpc;
    }

    /** Where it listens, also when the configured port was 0. */
    public int port() {
        return server.getPort();
    }

    /**
     * The service without a network, for another face of this node: the same limits, refusals and admission. Good until
     * {@link #close()}.
     *
     * @param caller who is recorded as having called
     */
    public Channel channelFor(SocketAddress caller) {
        return inProcess.channelFor(caller);
    }

    /** Health says SERVING from now on. */
    public void serving() {
        setHealth(ServingStatus.SERVING);
    }

    /** Health says NOT_SERVING from now on, new requests are refused, and long polls are told that nobody waits for them. */
    public void refuse() {
        setHealth(ServingStatus.NOT_SERVING);
        admission.drain();
        server.shutdown();
    }

    /**
     * Refuses what is new, and waits until everything in flight is answered and on the wire, but no longer than the limit. True if
     * that was in time. Connections stay open until {@link #close()}.
     */
    public boolean drain(Duration limit) throws InterruptedException {
        refuse();
        return admission.awaitIdle(limit);
    }

    /** Closes the port and every connection at once, so that another may listen there. Idempotent; blocks, though not for long. */
    @Override
    public void close() {
        setHealth(ServingStatus.NOT_SERVING);
        server.shutdownNow();
        inProcess.close();
        try {
            server.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void setHealth(ServingStatus status) {
        health.setStatus(HealthStatusManager.SERVICE_NAME_ALL_SERVICES, status);
        health.setStatus(TaskMasterGrpc.SERVICE_NAME, status);
    }
}
