package io.taskmaster.server.http;

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
import io.taskmaster.server.access.Caller;
import io.taskmaster.server.access.Identity;
import io.taskmaster.server.access.Protection;
import io.taskmaster.server.config.Limits;
import io.taskmaster.server.config.ServerConfig;
import io.taskmaster.server.connections.Connections;
import io.taskmaster.server.health.NodeHealth;
import io.taskmaster.server.metrics.Metrics;
import io.taskmaster.server.tls.ServerTls;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The HTTP port. {@code /healthz} answers 200 while the node serves and 503 otherwise, with the same word in JSON that the gRPC
 * health service uses, the reason, and how partitions and store are; {@code /metrics} is for Prometheus; {@code /whoami} says to a caller who that is; under {@code /v1/} is the contract in JSON; the rest is the page. Nobody gets past the
 * {@link Doorkeeper}. Netty reads and writes, a virtual thread per request answers. Thread-safe.
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

    private HttpServer(ServerConfig config, Exchange exchange, Optional<ServerTls> tls, Connections connections) {
        this.exchange = exchange;
        this.tls = tls;
        HostAndPort address = config.http();
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
     * @param health asked for each request, from any thread; must not block
     * @param service the service of the contract, on behalf of a caller who may call it
     * @throws UncheckedIOException if it cannot be opened
     */
    public static HttpServer start(
            ServerConfig config,
            Supplier<NodeHealth> health,
            Function<Caller, Channel> service,
            Metrics metrics,
            Protection protection) {
        var routes = routes(health, metrics, new JsonFace(new Gateway(service)));
        return new HttpServer(
                config,
                new Exchange(
                        new Doorkeeper(protection.access(), HostRule.of(config, protection)),
                        routes,
                        new ByteBudget(Math.max(config.inFlightBytes(), Limits.JSON_BODY_BYTES))),
                protection.tls(),
                Connections.of("http", config.connections(), metrics.registry()));
    }

    /** All that this port serves. */
    static Routes routes(Supplier<NodeHealth> health, Metrics metrics, JsonFace json) {
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
                .addLast(new Connection(exchange, connection));
    }

    /** Where it listens, also when the configured port was 0. */
    public int port() {
        return ((InetSocketAddress) listener.localAddress()).getPort();
    }

    /** Ends what waits, and closes every connection. Idempotent; blocks, though not for long. */
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

    private static Response scrape(Metrics metrics, Request.Admitted admitted) {
        Metrics.Scrape scrape =
                metrics.scrape(admitted.request().header(HttpHeaderNames.ACCEPT).orElse(""));
        return Response.of(scrape.type(), scrape.text().getBytes(UTF_8))
                .with(HttpHeaderNames.CACHE_CONTROL.toString(), "no-store");
    }

    private static Response whoami(Request.Admitted admitted) {
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
