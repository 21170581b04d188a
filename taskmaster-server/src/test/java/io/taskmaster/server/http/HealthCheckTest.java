package io.taskmaster.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.server.TestConfig;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class HealthCheckTest {

    @Test
    void isWellOnlyWhileTheNodeServes() throws IOException {
        var serving = new AtomicBoolean(true);
        URI health;
        try (var service = new FakeService();
                HttpServer server = HttpServer.start(TestConfig.freePorts(), serving::get, service::channelFor)) {
            health = URI.create("http://127.0.0.1:" + server.port() + "/healthz");

            assertThat(HealthCheck.isServing(health)).isTrue();
            serving.set(false);
            assertThat(HealthCheck.isServing(health)).isFalse();
        }
        assertThat(HealthCheck.isServing(health)).as("nobody listens").isFalse();
    }
}
