package io.taskmaster.proxy.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.proxy.json.ApiOperation;
import io.taskmaster.server.Nodes;
import io.taskmaster.server.TaskMasterServer;
import io.taskmaster.server.TestConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests of the guide to the HTTP port: its commands work in their order, and its tables agree with the code. */
final class HttpGuideTest {

    private static final Path PAGE = Path.of("../docs/http.md");
    private static final Pattern CURL =
            Pattern.compile("(?m)^curl -s '?localhost:7480([^ ']+)'?(?: --json '([^']+)')?$");
    private static final Pattern LEASE_ID = Pattern.compile("\"lease_id\":\"(\\d+)\"");

    @Test
    void everyLineWorks() throws Exception {
        List<MatchResult> lines = found(CURL);
        assertThat(lines).hasSameSizeAs(found(Pattern.compile("(?m)^curl ")));
        String leaseId = "none";
        try (var server = TaskMasterServer.start(TestConfig.freePorts(), Nodes.factory());
                var caller = new HttpCaller(server.httpPort())) {
            for (MatchResult line : lines) {
                String json = line.group(2);
                HttpAnswer answer = json == null
                        ? caller.get(line.group(1))
                        : caller.post(line.group(1), json.replace("…", leaseId));

                assertThat(answer.status())
                        .as("%s: %s", line.group(), answer.body())
                        .isEqualTo(200);
                assertThat(answer.body()).as(line.group()).doesNotContain("\"success\":false", "\"tasks\":[]");
                leaseId = LEASE_ID.matcher(answer.body())
                        .results()
                        .map((MatchResult match) -> match.group(1))
                        .findFirst()
                        .orElse(leaseId);
            }
        }
    }

    @Test
    void everyPathIsThere() throws IOException {
        List<String> documented =
                found(Pattern.compile("(?m)^\\| `(/v1/[a-z]+)` \\| ([A-Z, ]+) \\| `([A-Za-z]+)`")).stream()
                        .map(row -> row.group(1) + " " + row.group(2) + " " + row.group(3))
                        .toList();

        assertThat(documented)
                .isEqualTo(ApiOperation.ALL.stream()
                        .map(apiOperation -> apiOperation.path()
                                + (apiOperation.typed() ? " GET, POST " : " POST ")
                                + apiOperation.method().getBareMethodName())
                        .toList());
    }

    @Test
    void everyStatusIsThere() throws IOException {
        Map<String, Integer> documented = new TreeMap<>();
        found(Pattern.compile("(?m)^\\| `([A-Z_]+)` \\| (\\d{3}) \\|$"))
                .forEach(row -> documented.put(row.group(1), Integer.parseInt(row.group(2))));

        Map<String, Integer> expected = new TreeMap<>();
        Arrays.stream(ErrorCode.values())
                .map(code -> HttpFailure.of(new TaskMasterException(code, "")))
                .forEach(httpFailure -> expected.put(httpFailure.code().name(), httpFailure.status()));
        assertThat(documented).isEqualTo(expected);
    }

    private static List<MatchResult> found(Pattern pattern) throws IOException {
        return pattern.matcher(Files.readString(PAGE)).results().toList();
    }
}
