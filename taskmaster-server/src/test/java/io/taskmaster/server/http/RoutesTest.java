package io.taskmaster.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.taskmaster.server.access.Rule;
import io.taskmaster.server.health.NodeHealth;
import io.taskmaster.server.metrics.Metrics;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What the HTTP port serves, as it says it to the web server. */
final class RoutesTest {

    private static final Set<String> VERBS = Set.of("get", "head", "post", "put", "patch", "delete", "options", "any");

    /** Where nothing is served, and what is not in the table counts. */
    private static final String ELSEWHERE = "/v1/*";

    @Test
    void everyPathIsInTheTableOfAllEndpointsAndNoOther() throws Exception {
        Set<String> served = new TreeSet<>();
        try (var service = new FakeService();
                Metrics metrics = new Metrics()) {
            HttpServer.routes(
                    rules(served),
                    () -> NodeHealth.SERVING,
                    metrics,
                    new JsonFace(new Gateway(service::channelFor, new Callers()), new ByteBudget(1)));
        }

        assertThat(served).contains(ELSEWHERE).hasSizeGreaterThan(5);
        served.remove(ELSEWHERE);
        assertThat(served).allSatisfy(path -> assertThat(Rule.TABLE).containsKey(Doorkeeper.endpoint(path)));
        assertThat(Rule.TABLE.keySet())
                .filteredOn(endpoint -> endpoint.startsWith("/"))
                .allSatisfy(path -> assertThat(served).contains(path));
    }

    /** Writes down the paths that it is given. */
    private static HttpRules rules(Set<String> paths) {
        return (HttpRules) Proxy.newProxyInstance(
                HttpRules.class.getClassLoader(), new Class<?>[] {HttpRules.class}, (rules, method, arguments) -> {
                    if (VERBS.contains(method.getName()) && arguments[0] instanceof String path) {
                        paths.add(path);
                    } else if (arguments[0] instanceof HttpService[] services) {
                        for (HttpService service : services) {
                            service.routing((HttpRules) rules);
                        }
                    } else {
                        throw new AssertionError("a route that this test does not know how to read: " + method);
                    }
                    return rules;
                });
    }
}
