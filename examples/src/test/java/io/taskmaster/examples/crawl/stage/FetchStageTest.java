package io.taskmaster.examples.crawl.stage;

import static io.taskmaster.examples.crawl.stage.Tasks.page;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.taskmaster.client.Update.Enqueue;
import io.taskmaster.examples.crawl.Queues;
import io.taskmaster.examples.crawl.StageName;
import io.taskmaster.examples.crawl.page.PageLinks;
import io.taskmaster.model.Bytes;
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

final class FetchStageTest {

    private final HttpServer server = server();
    private final HttpClient http = HttpClient.newHttpClient();
    private final FetchStage stage = new FetchStage(
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
                .isEqualTo(Outcome.Forward.to(Enqueue.of(
                                Queues.of(StageName.EXTRACT, page("A.html")),
                                page("A.html").pid(),
                                Bytes.of("<p>hello"))
                        .headers(Map.of("charset", "iso-8859-1", "retries", "0"))));
    }

    @Test
    void otherThanHtmlEndsHere() throws Exception {
        serve(200, Map.of("Content-Type", "application/pdf"), "%PDF");
        assertThat(fetch()).isEqualTo(Outcome.Forward.to());
    }

    @Test
    void movedPageIsAPageWithOneLink() throws Exception {
        serve(301, Map.of("Location", "/B.html"), "");
        assertThat(fetch())
                .isEqualTo(Outcome.Forward.to(Enqueue.of(
                        Queues.of(StageName.LINKS, page("A.html")),
                        page("A.html").pid(),
                        new PageLinks(page("A.html").uri(), List.of("/B.html")).encode())));
    }

    @Test
    void missingPageFailsForGood() throws Exception {
        serve(404, Map.of(), "");
        assertThat(fetch()).isEqualTo(new Outcome.Failed("HTTP 404", true));
    }

    @Test
    void troubledServerFailsForNow() throws Exception {
        serve(503, Map.of(), "");
        assertThat(fetch()).isEqualTo(new Outcome.Failed("HTTP 503", false));
    }

    @Test
    void absentServerFailsForNow() throws Exception {
        server.stop(0);
        assertThat(fetch())
                .isInstanceOfSatisfying(
                        Outcome.Failed.class,
                        failed -> assertThat(failed.forGood()).isFalse());
    }

    private Outcome fetch() throws InterruptedException {
        return stage.work(Tasks.task(StageName.FETCH, page("A.html"), Bytes.EMPTY));
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
