package io.taskmaster.proxy.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.proxy.access.Rule;
import io.taskmaster.proxy.health.NodeHealth;
import io.taskmaster.proxy.metrics.Metrics;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests of the routes of the HTTP port. */
final class RoutesTest {

    @Test
    void everyPathIsInTheTableOfAllEndpointsAndNoOther() throws Exception {
        Set<String> served;
        try (var service = new FakeService();
                Metrics metrics = new Metrics()) {
            served = HttpServer.routes(() -> NodeHealth.SERVING, metrics, new JsonApi(new Gateway(service::channelFor)))
                    .paths();
        }

        assertThat(served).hasSizeGreaterThan(5);
        assertThat(served).allSatisfy(path -> assertThat(Rule.TABLE).containsKey(AuthHandler.endpoint(path)));
        assertThat(Rule.TABLE.keySet())
                .filteredOn(endpoint -> endpoint.startsWith("/"))
                .allSatisfy(path -> assertThat(served).contains(path));
    }
}
