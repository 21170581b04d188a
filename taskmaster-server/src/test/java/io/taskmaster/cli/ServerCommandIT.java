package io.taskmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.QueueKey;
import io.taskmaster.tests.JavaProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of a server as a process of its own: its log, and its exit statuses. */
final class ServerCommandIT {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Pattern LISTEN = Pattern.compile("listen=\"127.0.0.1:(\\d+)\"");
    private static final QueueKey QUEUE = QueueKey.of("q");

    @TempDir
    private Path folder = Path.of("");

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void endWhatIsLeft() {
        started.forEach(Process::destroyForcibly);
    }

    @Test
    void aSignalDrainsTheServerAndItEndsWithStatusZero() throws Exception {
        Process server = start("--set", "shutdown.timeout=5s");
        try (var client = TaskMasterClient.connect("127.0.0.1:" + port(server))) {
            assertThat(client.enqueue(QUEUE, Bytes.of("data")).get().success()).isTrue();
            assertThat(client.lease(LeaseRequest.from(QUEUE)).get()).isEmpty();

            server.destroy();

            assertThat(server.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }
        assertThat(server.exitValue()).isZero();
        assertThat(log()).contains("draining").contains("stopped");
    }

    @Test
    void aPortThatIsTakenEndsTheSecondServerWithStatusOneAndItsName() throws Exception {
        Process first = start();
        int port = port(first);
        Path log = folder.resolve("second.log");

        Process second = start(log, "--listen", "127.0.0.1:" + port);

        assertThat(second.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(second.exitValue()).isEqualTo(1);
        assertThat(Files.readString(log)).startsWith("taskmaster: listen: 127.0.0.1:" + port);
        assertThat(first.isAlive()).isTrue();
    }

    @Test
    void anUnknownSettingInTheFileEndsWithStatusTwoAndItsName() throws Exception {
        Path config = Files.writeString(folder.resolve("node.properties"), "partitoins=4\n");

        Process server = start("--config", config.toString());

        assertThat(server.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        assertThat(server.exitValue()).isEqualTo(2);
        assertThat(log()).contains("partitoins");
    }

    @Test
    void logLinesInJsonSayWhereItServes() throws Exception {
        start("--set", "log.format=json");

        await().atMost(LIMIT).until(() -> log().contains("TaskMaster serves"));

        String line = log().lines()
                .filter(l -> l.contains("TaskMaster serves"))
                .findFirst()
                .orElseThrow();
        JsonObject json = JsonParser.parseString(line).getAsJsonObject();
        assertThat(json.get("level").getAsString()).isEqualTo("INFO");
        assertThat(json.getAsJsonArray("kvpList").toString()).contains("version", "listen", "store", "partitions");
    }

    private Process start(String... flags) throws IOException {
        return start(folder.resolve("server.log"), flags);
    }

    private Process start(Path log, String... flags) throws IOException {
        var command = new ArrayList<>(JavaProgram.onClassPath());
        command.addAll(List.of(FakeNodeProgram.class.getName(), "server", "--store=memory"));
        if (!List.of(flags).contains("--listen")) {
            command.addAll(List.of("--listen", "127.0.0.1:0"));
        }
        command.addAll(List.of("--http", "127.0.0.1:0"));
        command.addAll(List.of(flags));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        started.add(process);
        return process;
    }

    /** Returns the port that the log names, as soon as it does. */
    private int port(Process server) {
        return await().atMost(LIMIT)
                .until(
                        () -> {
                            Matcher listen = LISTEN.matcher(log());
                            return listen.find()
                                    ? Optional.of(Integer.parseInt(listen.group(1)))
                                    : Optional.<Integer>empty();
                        },
                        found -> found.isPresent() || !server.isAlive())
                .orElseThrow(() -> new AssertionError("the server ended: " + server.exitValue()));
    }

    private String log() throws IOException {
        return Files.readString(folder.resolve("server.log"));
    }
}
