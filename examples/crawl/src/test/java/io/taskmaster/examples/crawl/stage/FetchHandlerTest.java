package io.taskmaster.examples.crawl.stage;

import static io.taskmaster.examples.crawl.stage.Tasks.page;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.taskmaster.examples.crawl.page.PageLinks;
import io.taskmaster.model.Bytes;
import io.taskmaster.stage.Outcome;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class FetchHandlerTest {

    private final HttpServer server = server();
    private final HttpClient http = HttpClient.newHttpClient();
    private final FetchHandler handler = new FetchHandler(
            http, URI.create("http://127.0.0.1:" + server.getAddress().getPort()));

    @BeforeEach
    void start() {
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        http.close();
    }

    @Test
    void htmlGoesToExtractInItsSection() throws Exception {
        serve(200, Map.of("Content-Type", "text/html; charset=ISO-8859-1"), "<p>hello");
        assertThat(fetch())
                .isEqualTo(Outcome.handOff(CrawlQueues.EXTRACT
                        .task(page("A.html").section(), Bytes.of("<p>hello"))
                        .headers(Map.of("charset", "iso-8859-1", "retries", "0"))));
    }

    @Test
    void otherThanHtmlEndsHere() throws Exception {
        serve(200, Map.of("Content-Type", "application/pdf"), "%PDF");
        assertThat(fetch()).isEqualTo(Outcome.done());
    }

    @Test
    void movedPageIsAPageWithOneLink() throws Exception {
        serve(301, Map.of("Location", "/B.html"), "");
        assertThat(fetch())
                .isEqualTo(Outcome.handOff(CrawlQueues.LINKS.task(
                        page("A.html").section(), new PageLinks(page("A.html").uri(), List.of("/B.html")))));
    }

    @Test
    void missingPageFailsForGood() throws Exception {
        serve(404, Map.of(), "");
        assertThat(fetch()).isEqualTo(Outcome.dead("HTTP 404"));
    }

    @Test
    void troubledServerFailsForNow() throws Exception {
        serve(503, Map.of(), "");
        assertThat(fetch()).isEqualTo(Outcome.retry("HTTP 503"));
    }

    @Test
    void absentServerFailsForNow() throws Exception {
        server.stop(0);
        assertThat(fetch()).isInstanceOf(Outcome.Retry.class);
    }

    private Outcome fetch() throws InterruptedException {
        return handler.handle(Tasks.task(CrawlQueues.FETCH, page("A.html"), Bytes.EMPTY));
    }

    private void serve(int status, Map<String, String> headers, String body) {
        server.createContext(page("A.html").path(), exchange -> {
            headers.forEach(exchange.getResponseHeaders()::set);
            byte[] bytes = body.getBytes(UTF_8);
            exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
    }

    private static HttpServer server() {
        try {
            return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
