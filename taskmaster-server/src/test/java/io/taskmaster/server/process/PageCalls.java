package io.taskmaster.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/** The HTTP calls of the web page. Every answer must be a success. Thread-safe. */
final class PageCalls implements AutoCloseable {

    private final HttpClient http = HttpClient.newHttpClient();
    private final String address;

    PageCalls(String address) {
        this.address = address;
    }

    /** Posts a request. Returns the time until the answer is complete, in nanoseconds. */
    long call(String operation, String request) {
        return timed(to("/v1/" + operation)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(request))
                .build());
    }

    /** Gets the metrics, as the node view does. */
    long metrics() {
        return timed(to("/metrics").build());
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create("http://" + address + path));
    }

    private long timed(HttpRequest request) {
        long started = System.nanoTime();
        HttpResponse<String> answer = send(request);
        long took = System.nanoTime() - started;
        assertThat(answer.statusCode()).as(answer::body).isEqualTo(200);
        return took;
    }

    private HttpResponse<String> send(HttpRequest request) {
        try {
            return http.send(request, BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
