package io.taskmaster.server.http;

import com.google.common.net.HostAndPort;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerResponse;
import java.util.function.BooleanSupplier;

/**
 * The HTTP port. {@code /healthz} answers 200 while the node serves and 503 otherwise, with the same word in JSON that the gRPC
 * health service uses. Thread-safe.
 */
public final class HttpServer implements AutoCloseable {

    private final WebServer server;

    private HttpServer(WebServer server) {
        this.server = server;
    }

    /**
     * Opens the port; a failure to do so is an exception that says why.
     *
     * @param serving asked for each request, from any thread; must not block
     */
    public static HttpServer start(HostAndPort address, BooleanSupplier serving) {
        WebServer server = WebServer.builder()
                .host(address.getHost())
                .port(address.getPort())
                .shutdownHook(false)
                .routing((HttpRouting.Builder routing) ->
                        routing.get("/healthz", (request, response) -> health(serving.getAsBoolean(), response)))
                .build();
        server.start();
        if (!server.isRunning()) {
            throw new IllegalStateException("the address is taken, or not one of this machine");
        }
        return new HttpServer(server);
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

    private static void health(boolean serving, ServerResponse response) {
        response.status(serving ? Status.OK_200 : Status.SERVICE_UNAVAILABLE_503)
                .header(HeaderValues.CONTENT_TYPE_JSON)
                .header(HeaderNames.CACHE_CONTROL, "no-store")
                .send(serving ? "{\"status\":\"SERVING\"}\n" : "{\"status\":\"NOT_SERVING\"}\n");
    }
}
