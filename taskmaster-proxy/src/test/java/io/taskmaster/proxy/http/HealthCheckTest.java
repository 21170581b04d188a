package io.taskmaster.proxy.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.proxy.TestPorts;
import io.taskmaster.proxy.access.Pki;
import io.taskmaster.proxy.access.Protection;
import io.taskmaster.proxy.health.NodeHealth;
import io.taskmaster.proxy.metrics.Metrics;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HealthCheckTest {

    @Test
    void isWellOnlyWhileTheNodeServes() throws IOException {
        var serving = new AtomicBoolean(true);
        URI health;
        TestPorts config = TestPorts.free();
        try (var service = new FakeService();
                Metrics metrics = new Metrics();
                HttpServer server = HttpServer.start(
                        config.listen(),
                        config.inFlight(),
                        () -> serving.get() ? NodeHealth.SERVING : NodeHealth.SERVING.notServing("told to"),
                        service::channelFor,
                        metrics,
                        Protection.open(config.listen(), config.access()))) {
            health = URI.create("http://127.0.0.1:" + server.port() + "/healthz");

            assertThat(HealthCheck.isServing(health)).isTrue();
            serving.set(false);
            assertThat(HealthCheck.isServing(health)).isFalse();
        }
        assertThat(HealthCheck.isServing(health)).as("nobody listens").isFalse();
    }

    @Test
    void asksWithTlsWhereThatIsSpoken(@TempDir Path folder) throws Exception {
        Pki pki = new Pki("CA");
        Pki.write(folder, "server", pki.issue(pki.server()));
        TestPorts config = TestPorts.reader()
                .set("tls.certificate", folder.resolve("server.pem").toString())
                .set("tls.key", folder.resolve("server.key").toString())
                .read();
        var serving = new AtomicBoolean(true);
        try (var service = new FakeService();
                var protection = Protection.open(config.listen(), config.access());
                Metrics metrics = new Metrics();
                HttpServer server = HttpServer.start(
                        config.listen(),
                        config.inFlight(),
                        () -> serving.get() ? NodeHealth.SERVING : NodeHealth.SERVING.notServing("told to"),
                        service::channelFor,
                        metrics,
                        protection)) {
            URI health = URI.create("http://127.0.0.1:" + server.port() + "/healthz");

            assertThat(HealthCheck.isServing(health)).isTrue();
            serving.set(false);
            assertThat(HealthCheck.isServing(health)).isFalse();
        }
    }
}
