package io.taskmaster.server.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A Prometheus that scrapes one server every second. */
final class Prometheus implements AutoCloseable {

    private final Process process;
    private final int port;
    private final HttpClient http = HttpClient.newHttpClient();

    private Prometheus(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    static Prometheus start(Path program, Path folder, int scraped) throws IOException {
        Path config = folder.resolve("prometheus.yml");
        Files.writeString(config, """
                global:
                  scrape_interval: 1s
                scrape_configs:
                  - job_name: taskmaster
                    static_configs:
                      - targets: ['127.0.0.1:%d']
                """.formatted(scraped));
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Process process = new ProcessBuilder(
                        program.toString(),
                        "--config.file=" + config,
                        "--storage.tsdb.path=" + folder.resolve("series"),
                        "--web.listen-address=127.0.0.1:" + port)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("prometheus.log").toFile())
                .start();
        Prometheus prometheus = new Prometheus(process, port);
        await().atMost(Duration.ofSeconds(60))
                .ignoreException(ConnectException.class)
                .until(() -> prometheus.get("/-/ready").startsWith("Prometheus Server is Ready"));
        return prometheus;
    }

    /** Returns the current result of a query: {@code status}, and {@code data} or {@code error}. */
    JsonObject query(String expression) throws IOException, InterruptedException {
        return JsonParser.parseString(get("/api/v1/query?query=" + URLEncoder.encode(expression, UTF_8)))
                .getAsJsonObject();
    }

    private String get(String path) throws IOException, InterruptedException {
        return http.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                .build(),
                        BodyHandlers.ofString())
                .body();
    }

    @Override
    public void close() {
        http.close();
        process.destroy();
    }
}
