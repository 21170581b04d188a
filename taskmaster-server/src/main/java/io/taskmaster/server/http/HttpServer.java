package io.taskmaster.server.http;

import com.google.common.net.HostAndPort;
import com.google.gson.JsonObject;
import io.grpc.Channel;
import io.helidon.common.tls.Tls;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.helidon.webserver.http1.Http1Config;
import io.taskmaster.server.access.Caller;
import io.taskmaster.server.access.Identity;
import io.taskmaster.server.access.Protection;
import io.taskmaster.server.config.Limits;
import io.taskmaster.server.config.ServerConfig;
import io.taskmaster.server.health.NodeHealth;
import io.taskmaster.server.metrics.Metrics;
import io.taskmaster.server.tls.ServerTls;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The HTTP port. {@code /healthz} answers 200 while the node serves and 503 otherwise, with the same word in JSON that the gRPC
 * health service uses, the reason, and how partitions and store are; {@code /metrics} is for Prometheus; {@code /whoami} says to a caller who that is; under {@code /v1/} is the contract in JSON; the rest is the page. Nobody gets past the
 * {@link Doorkeeper}. Thread-safe.
 */
public final class HttpServer implements AutoCloseable {

    /** Longer than any call, so that only a caller who stopped in the middle of a request is given up. */
    private static final Duration READ_TIMEOUT =
            Duration.ofMillis(Limits.HTTP_CALL_MILLIS).plusSeconds(10);

    private final WebServer server;

    private HttpServer(WebServer server) {
        this.server = server;
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
        HostAndPort address = config.http();
        var callers = new Callers();
        var budget = new ByteBudget(Math.max(config.inFlightBytes(), Limits.JSON_BODY_BYTES));
        var json = new JsonFace(new Gateway(service, callers), budget);
        WebServerConfig.Builder port = WebServer.builder();
        protection.tls().ifPresent(tls -> port.tls(overTcp(tls)));
        WebServer server = port.host(address.getHost())
                .port(address.getPort())
                .shutdownHook(false)
                .maxPayloadSize(Limits.JSON_BODY_BYTES)
                .directHandlers(TransportFailures.handlers())
                // Sockets of the NIO kind know no read timeout, and cannot be watched for their end.
                .useNio(false)
                .connectionOptions(new TimedSockets(READ_TIMEOUT))
                .addProtocol(Http1Config.builder()
                        .maxPrologueLength(Limits.HTTP_LINE_BYTES)
                        .addReceiveListener(callers)
                        .build())
                .routing((HttpRouting.Builder routing) -> routes(
                        routing.addFilter(new Doorkeeper(protection.access(), HostRule.of(config, protection))),
                        health,
                        metrics,
                        json))
                .build();
        server.start();
        if (!server.isRunning()) {
            // It has told its log why, and nobody else.
            throw new UncheckedIOException(new BindException("the address is taken, or not one of this machine"));
        }
        return new HttpServer(server);
    }

    /** All that this port serves. */
    static void routes(HttpRules rules, Supplier<NodeHealth> health, Metrics metrics, JsonFace json) {
        rules.get("/healthz", (request, response) -> answer(health.get(), response))
                .get("/metrics", (request, response) -> scrape(metrics, request, response))
                .get("/whoami", HttpServer::whoami)
                .register(json)
                .register(new Page());
    }

    /** The same TLS as everywhere. */
    private static Tls overTcp(ServerTls tls) {
        return Tls.builder().sslContext(tls.context()).build();
    }

    /** Where it listens, also when the configured port was 0. */
    public int port() {
        return server.port();
    }

    /** Idempotent; blocks. */
    @Override
    public void close() {
        server.stop();
    }

    private static void scrape(Metrics metrics, ServerRequest request, ServerResponse response) {
        Metrics.Scrape scrape =
                metrics.scrape(request.headers().first(HeaderNames.ACCEPT).orElse(""));
        response.header(HeaderNames.CONTENT_TYPE, scrape.type())
                .header(HeaderNames.CACHE_CONTROL, "no-store")
                .send(scrape.text());
    }

    private static void whoami(ServerRequest request, ServerResponse response) {
        Identity identity = Doorkeeper.callerOf(request).identity();
        var json = new JsonObject();
        json.addProperty("name", identity.name());
        json.addProperty("role", identity.role().name());
        response.header(HeaderValues.CONTENT_TYPE_JSON)
                .header(HeaderNames.CACHE_CONTROL, "no-store")
                .send(json + "\n");
    }

    private static void answer(NodeHealth health, ServerResponse response) {
        response.status(health.isServing() ? Status.OK_200 : Status.SERVICE_UNAVAILABLE_503)
                .header(HeaderValues.CONTENT_TYPE_JSON)
                .header(HeaderNames.CACHE_CONTROL, "no-store")
                .send(HealthJson.of(health) + "\n");
    }
}
