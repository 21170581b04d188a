package io.taskmaster.proxy.rpc;

import com.google.common.net.HostAndPort;
import io.grpc.Channel;
import io.grpc.Server;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.micrometer.core.instrument.MeterRegistry;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.taskmaster.proxy.access.Caller;
import io.taskmaster.proxy.access.Protection;
import io.taskmaster.proxy.config.InFlightLimits;
import io.taskmaster.proxy.config.Limits;
import io.taskmaster.proxy.config.ListenConfig;
import io.taskmaster.proxy.connections.Connections;
import io.taskmaster.proxy.route.Router;
import io.taskmaster.proxy.rpc.access.AuthInterceptor;
import io.taskmaster.proxy.rpc.access.PeerAddresses;
import io.taskmaster.proxy.rpc.call.InFlightLimiter;
import io.taskmaster.proxy.rpc.call.OffloadExecutor;
import io.taskmaster.proxy.rpc.call.ServiceContext;
import io.taskmaster.proxy.rpc.call.ServiceFactory;
import io.taskmaster.proxy.rpc.call.UnaryMethod;
import io.taskmaster.proxy.tls.ServerTls;
import io.taskmaster.v1.TaskMasterGrpc;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The gRPC port: the service of the contract, further services such as insight, health and reflection.
 *
 * <p>Handlers run on the network's threads ({@code directExecutor}), because they only validate and submit. Every call
 * passes, from the outside in, {@link CheckedRequests} (malformed requests) and {@link AuthInterceptor} (access). Calls
 * of the contract and of further services then pass the interceptors of {@link RpcServerOptions}, and a
 * {@link UnaryMethod} with its {@link InFlightLimiter}. These services are also reachable in process
 * ({@link #channelFor}), where the endpoint that calls them has checked access.
 *
 * <p>Shutdown has two steps: {@link #refuse} or {@link #drain}, while the node still answers what is in flight, then
 * {@link #close}. Thread-safe.
 */
public final class RpcServer implements AutoCloseable {

    private static final int CLIENT_KEEPALIVE_SECONDS = 10;
    private static final int CLOSE_SECONDS = 5;

    private final MultiThreadIoEventLoopGroup accepting = threads("grpc-accept", 1);
    private final MultiThreadIoEventLoopGroup handling =
            threads("grpc", 2 * Runtime.getRuntime().availableProcessors());
    private final InFlightLimiter inFlightLimiter;
    private final HealthStatusManager health = new HealthStatusManager();
    private final Server server;
    private final InProcessPort inProcess;

    private RpcServer(
            ListenConfig listen,
            InFlightLimits limits,
            Router router,
            List<ServiceFactory> additionalServices,
            MeterRegistry meters,
            RpcServerOptions options,
            Protection protection)
            throws IOException {
        HostAndPort address = listen.rpc();
        inFlightLimiter = new InFlightLimiter(limits.requests(), limits.bytes());
        inFlightLimiter.bindTo(meters);
        var context = new ServiceContext(inFlightLimiter, options.clock(), OffloadExecutor.DEFAULT, meters);
        List<ServerServiceDefinition> services = Stream.concat(
                        Stream.of(new TaskMasterService(router, address.toString(), context).definition()),
                        additionalServices.stream().map(service -> service.create(context)))
                .map(service -> ServerInterceptors.intercept(service, options.interceptors()))
                .toList();
        setHealth(ServingStatus.NOT_SERVING);
        inProcess = InProcessPort.open(services);
        NettyServerBuilder port =
                NettyServerBuilder.forAddress(new InetSocketAddress(address.getHost(), address.getPort()));
        protection.tls().ifPresent(tls -> port.sslContext(http2(tls)));
        server = port.channelFactory(
                        Connections.of("grpc", listen.connections(), meters).listener())
                .bossEventLoopGroup(accepting)
                .workerEventLoopGroup(handling)
                .handshakeTimeout(Limits.HANDSHAKE_MILLIS, TimeUnit.MILLISECONDS)
                .keepAliveTime(Limits.KEEP_ALIVE_MILLIS, TimeUnit.MILLISECONDS)
                .keepAliveTimeout(Limits.KEEP_ALIVE_MILLIS, TimeUnit.MILLISECONDS)
                // Calls begin on the event loops, since their handlers never block.
                .directExecutor()
                .maxInboundMessageSize(Limits.MESSAGE_BYTES)
                .permitKeepAliveTime(CLIENT_KEEPALIVE_SECONDS, TimeUnit.SECONDS)
                .permitKeepAliveWithoutCalls(true)
                .addTransportFilter(new PeerAddresses())
                .addServices(guarded(services, new AuthInterceptor(protection.access())))
                .build();
    }

    /** Returns these services, health and reflection, each behind the checks of requests and of access. */
    private List<ServerServiceDefinition> guarded(
            List<ServerServiceDefinition> services, AuthInterceptor authInterceptor) {
        return Stream.concat(
                        services.stream(),
                        Stream.of(
                                health.getHealthService().bindService(),
                                ProtoReflectionServiceV1.newInstance().bindService()))
                .map(service -> CheckedRequests.of(ServerInterceptors.intercept(service, authInterceptor)))
                .toList();
    }

    /**
     * Opens the port. Health is NOT_SERVING until {@link #setServing} changes it.
     *
     * @param router the partitions behind the port
     * @param additionalServices services beside that of the contract, with the same limits and interceptors
     */
    public static RpcServer start(
            ListenConfig listen,
            InFlightLimits limits,
            Router router,
            List<ServiceFactory> additionalServices,
            MeterRegistry meters,
            RpcServerOptions options,
            Protection protection)
            throws IOException {
        var rpc = new RpcServer(listen, limits, router, additionalServices, meters, options, protection);
        try {
            rpc.server.start();
        } catch (IOException e) {
            rpc.close();
            throw e;
        }
        return rpc;
    }

    /** The services of this port. */
    List<ServerServiceDefinition> services() {
        return server.getServices();
    }

    private static MultiThreadIoEventLoopGroup threads(String name, int count) {
        return new MultiThreadIoEventLoopGroup(count, new DefaultThreadFactory(name, true), NioIoHandler.newFactory());
    }

    /** Returns the TLS settings of the node, for HTTP/2 only. */
    private static SslContext http2(ServerTls tls) {
        return new JdkSslContext(
                tls.context(),
                false,
                ServerTls.CIPHER_SUITES,
                IdentityCipherSuiteFilter.INSTANCE,
                new ApplicationProtocolConfig(
                        Protocol.ALPN,
                        SelectorFailureBehavior.NO_ADVERTISE,
                        SelectedListenerFailureBehavior.ACCEPT,
                        ApplicationProtocolNames.HTTP_2),
                tls.requestsClientCertificates() ? ClientAuth.OPTIONAL : ClientAuth.NONE,
                ServerTls.PROTOCOLS.toArray(String[]::new),
                false);
    }

    /** The port that it listens on, also when the configured port was 0. */
    public int port() {
        return server.getPort();
    }

    /**
     * Returns a channel to the services without a network, for another endpoint of this node: the same limits, refusals
     * and admission control. Valid until {@link #close()}.
     *
     * @param caller recorded as the caller; its access has been checked
     */
    public Channel channelFor(Caller caller) {
        return inProcess.channelFor(caller);
    }

    /** Sets the health, until the port refuses. */
    public void setServing(boolean serving) {
        setHealth(serving ? ServingStatus.SERVING : ServingStatus.NOT_SERVING);
    }

    /** Sets health to NOT_SERVING, refuses new requests, and makes long polls end. */
    public void refuse() {
        setHealth(ServingStatus.NOT_SERVING);
        inFlightLimiter.drain();
        server.shutdown();
    }

    /**
     * Refuses new requests, and blocks until everything in flight is answered and on the wire, but no longer than the
     * limit. Connections stay open until {@link #close()}.
     *
     * @return true if everything was answered in time
     */
    public boolean drain(Duration limit) throws InterruptedException {
        refuse();
        return inFlightLimiter.awaitIdle(limit);
    }

    /**
     * Closes the port and every connection at once, so that another process may listen there. Idempotent; blocks for at
     * most 5 s.
     */
    @Override
    public void close() {
        setHealth(ServingStatus.NOT_SERVING);
        server.shutdownNow();
        inProcess.close();
        try {
            server.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            var _ = accepting.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS);
            var _ = handling.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS);
        }
    }

    private void setHealth(ServingStatus status) {
        health.setStatus(HealthStatusManager.SERVICE_NAME_ALL_SERVICES, status);
        health.setStatus(TaskMasterGrpc.SERVICE_NAME, status);
    }
}
