package io.taskmaster.examples.adsquality.market;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import io.taskmaster.examples.adsquality.measure.ServedAd;
import io.taskmaster.examples.demo.fixture.LoopbackServer;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.util.stream.Collectors;

/**
 * An HTTP server of ads on a free port of the loopback address: {@code /ads?q=WORDS} returns a line for each ad.
 * Thread-safe.
 */
public final class AdServer implements AutoCloseable {

    private static final String QUERY = "q=";

    private final LoopbackServer server;

    private AdServer(LoopbackServer server) {
        this.server = server;
    }

    public static AdServer start() throws IOException {
        return new AdServer(LoopbackServer.start(AdServer::answer));
    }

    /** Returns the URI of a query at an ad server. */
    public static URI uri(URI address, String query) {
        return address.resolve("/ads?" + QUERY + URLEncoder.encode(query, UTF_8));
    }

    public URI address() {
        return server.address();
    }

    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String asked = exchange.getRequestURI().getQuery();
            if (asked == null || !asked.startsWith(QUERY)) {
                exchange.sendResponseHeaders(400, -1);
                return;
            }
            String query = asked.substring(QUERY.length()).replace('+', ' ');
            byte[] lines = Auction.serve(query).stream()
                    .map(ServedAd::line)
                    .collect(Collectors.joining("\n"))
                    .getBytes(UTF_8);
            exchange.sendResponseHeaders(200, lines.length == 0 ? -1 : lines.length);
            exchange.getResponseBody().write(lines);
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
