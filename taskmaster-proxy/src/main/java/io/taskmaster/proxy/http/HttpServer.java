package io.taskmaster.proxy.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.net.HostAndPort;
import com.google.gson.JsonObject;
import io.grpc.Channel;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.taskmaster.proxy.access.Caller;
import io.taskmaster.proxy.access.Identity;
import io.taskmaster.proxy.access.Protection;
import io.taskmaster.proxy.config.InFlightLimits;
import io.taskmaster.proxy.config.Limits;
import io.taskmaster.proxy.config.ListenConfig;
import io.taskmaster.proxy.connections.Connections;
import io.taskmaster.proxy.health.NodeHealth;
import io.taskmaster.proxy.metrics.Metrics;
import io.taskmaster.proxy.tls.ServerTls;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The HTTP port of a node.
 *
 * <ul>
 *   <li>{@code /healthz} answers 200 while the node serves and 503 otherwise, with the status name of the gRPC health
 *       service, the reason, and the state of partitions and store.
 *   <li>{@code /metrics} is for Prometheus.
 *   <li>{@code /whoami} returns the identity of the caller.
 *   <li>{@code /v1/} is the contract in JSON ({@link JsonApi}).
 *   <li>The rest is the web page ({@link Page}).
 * </ul>
 *
 * <p>Every request passes {@link AuthHandler}. Netty's event loops read and write; a virtual thread per request
 * answers. Thread-safe.
 */
public final class HttpServer implements AutoCloseable {

    private static final int THREADS = 2;
    private static final int CLOSE_SECONDS = 5;
    private static final int UNAVAILABLE = 503;

    private final MultiThreadIoEventLoopGroup threads =
            new MultiThreadIoEventLoopGroup(THREADS, new DefaultThreadFactory("http", true), NioIoHandler.newFactory());
    private final Exchange exchange;
    private final Optional<ServerTls> tls;
    private final io.netty.channel.Channel listener;

    private HttpServer(HostAndPort address, Exchange exchange, Optional<ServerTls> tls, Connections connections) {
        this.exchange = exchange;
        this.tls = tls;
        var bound = new ServerBootstrap()
                .group(threads)
                .channelFactory(connections.listener())
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel connection) {
                        prepare(connection);
                    }
                })
                .bind(new InetSocketAddress(address.getHost(), address.getPort()))
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            close(threads);
            var failure = new BindException(String.valueOf(bound.cause().getMessage()));
            failure.initCause(bound.cause());
            throw new UncheckedIOException(failure);
        }
        listener = bound.channel();
    }

    /**
     * Opens the port.
     *
     * @param health called for each request, by any thread; must not block
     * @param service returns a channel to the service of the contract for a caller that has access
     * @throws UncheckedIOException if the port cannot be opened
     */
    public static HttpServer start(
            ListenConfig listen,
            InFlightLimits limits,
            Supplier<NodeHealth> health,
            Function<Caller, Channel> service,
            Metrics metrics,
            Protection protection) {
        var routes = routes(health, metrics, new JsonApi(new Gateway(service)));
        return new HttpServer(
                listen.http(),
                new Exchange(
                        new AuthHandler(protection.access(), HostValidator.of(listen.http(), protection)),
                        routes,
                        new ByteBudget(Math.max(limits.bytes(), Limits.JSON_BODY_BYTES))),
                protection.tls(),
                Connections.of("http", listen.connections(), metrics.registry()));
    }

    /** Returns all routes of the port. */
    static Routes routes(Supplier<NodeHealth> health, Metrics metrics, JsonApi json) {
        var routes = new Routes();
        routes.get("/healthz", _ -> answer(health.get()))
                .get("/metrics", request -> scrape(metrics, request))
                .get("/whoami", HttpServer::whoami);
        json.addTo(routes);
        Page.addTo(routes);
        return routes;
    }

    private void prepare(SocketChannel connection) {
        tls.ifPresent(strict -> {
            var handler = new SslHandler(strict.context().createSSLEngine());
            handler.setHandshakeTimeoutMillis(Limits.HANDSHAKE_MILLIS);
            connection.pipeline().addLast(handler);
        });
        connection
                .pipeline()
                .addLast(new HttpServerCodec(new HttpDecoderConfig()
                        .setMaxInitialLineLength(Limits.HTTP_LINE_BYTES)
                        .setMaxHeaderSize(Limits.HTTP_HEADER_BYTES)
                        // As most servers do: a line may end with LF alone.
                        .setStrictLineParsing(false)))
                .addLast(new HttpConnection(exchange, connection));
    }

    /** The port that it listens on, also when the configured port was 0. */
    public int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    /** Interrupts all waits and closes every connection. Idempotent; blocks for about 10 s at most. */
    @Override
    public void close() {
        listener.close().awaitUninterruptibly();
        exchange.close();
        close(threads);
    }

    private static void close(MultiThreadIoEventLoopGroup threads) {
        threads.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS)
                .awaitUninterruptibly(2L * CLOSE_SECONDS, TimeUnit.SECONDS);
    }

    private static Response scrape(Metrics metrics, ReceivedRequest.Admitted admitted) {
        Metrics.Scrape scrape =
                metrics.scrape(admitted.request().header(HttpHeaderNames.ACCEPT).orElse(""));
        return Response.of(scrape.type(), scrape.text().getBytes(UTF_8))
                .with(HttpHeaderNames.CACHE_CONTROL.toString(), "no-store");
    }

    private static Response whoami(ReceivedRequest.Admitted admitted) {
        Identity identity = admitted.identity();
        var json = new JsonObject();
        json.addProperty("name", identity.name());
        json.addProperty("role", identity.role().name());
        return Response.json(json.toString());
    }

    private static Response answer(NodeHealth health) {
        Response response = Response.json(HealthJson.of(health).toString());
        return health.isServing() ? response : response.withStatus(UNAVAILABLE);
    }
}
