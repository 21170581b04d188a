package io.taskmaster.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.QueueKey;
import io.taskmaster.proxy.program.StartException;
import io.taskmaster.server.Nodes;
import io.taskmaster.server.TaskMasterServer;
import io.taskmaster.server.TestConfig;
import io.taskmaster.tests.JavaProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests of {@code top} as a process at a pseudo terminal, which {@code script} of util-linux provides; skipped without
 * it.
 */
final class TopOnTerminalIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final Path SCRIPT = Path.of("/usr/bin/script");
    private static final String SECOND_PAGE = "\033[?1049h";
    private static final String FIRST_PAGE = "\033[?1049l";

    @TempDir
    private Path folder = Path.of("");

    private final TaskMasterServer server;

    TopOnTerminalIT() throws StartException {
        server = TaskMasterServer.start(TestConfig.freePorts(), Nodes.factory());
    }

    @BeforeEach
    void fill() throws IOException {
        assumeThat(SCRIPT).exists();
        assumeThat(run("script", "--version")).contains("util-linux");
        try (TaskMasterClient client = TaskMasterClient.connect("127.0.0.1:" + server.rpcPort())) {
            client.blocking().enqueue(QueueKey.of("any-queue"), Bytes.EMPTY);
            client.blocking().enqueue(QueueKey.of("other"), Bytes.EMPTY);
        }
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void keysAreServedAndTheTerminalIsLeftAsItWas() throws Exception {
        try (Session top = new Session()) {
            top.awaitShown(SECOND_PAGE, "any-queue", "other");
            top.type("/other\r");
            top.awaitShown("match (RE2, whole name): other_", "queues 1,");
            top.type("?");
            top.awaitShown("Sort by");
            top.type("q");
            top.assertLeftWith(0);
        }
    }

    @Test
    void controlCEndsItInOrder() throws Exception {
        // Also if it was started with the signal ignored, as in the background of a script.
        try (Session top = new Session("trap '' INT; ")) {
            top.awaitShown("any-queue");
            top.type("\003");
            top.assertLeftWith(0);
        }
    }

    @Test
    void aSignalLeavesTheTerminalAsItWasToo() throws Exception {
        try (Session top = new Session()) {
            top.awaitShown("any-queue");
            top.javaProcess().destroy();
            top.assertLeftWith(143);
        }
    }

    private static String run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), UTF_8);
    }

    /** A shell at a terminal that prints the settings of the terminal before and after the command. */
    private final class Session implements AutoCloseable {

        private final Path output = folder.resolve("output");
        private final Process process;

        Session() throws IOException {
            this("");
        }

        /**
         * Starts the shell.
         *
         * @param first the commands before
         */
        Session(String first) throws IOException {
            String top = "%s %s top --interval 100ms --server 127.0.0.1:%d"
                    .formatted(
                            String.join(" ", JavaProgram.withFlags("-Dstdout.encoding=UTF-8")),
                            Main.class.getName(),
                            server.rpcPort());
            String shell = first + "stty rows 12 cols 70; echo \"before=$(stty -g)\"; " + top
                    + "; echo \"status=$?\"; echo \"after=$(stty -g)\"";
            ProcessBuilder builder = new ProcessBuilder(SCRIPT.toString(), "-qfc", shell, "/dev/null")
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
            builder.environment().put("TERM", "xterm");
            process = builder.start();
        }

        void type(String keys) throws IOException {
            process.getOutputStream().write(keys.getBytes(UTF_8));
            process.getOutputStream().flush();
        }

        void awaitShown(String... texts) {
            await().atMost(TIMEOUT).untilAsserted(() -> assertThat(output()).contains(texts));
        }

        ProcessHandle javaProcess() {
            return process.descendants()
                    .filter(one -> one.info().command().orElse("").endsWith("java"))
                    .findFirst()
                    .orElseThrow();
        }

        void assertLeftWith(int status) throws Exception {
            assertThat(process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                    .as(output())
                    .isTrue();
            List<String> lines = output().lines().toList();
            assertThat(lines).anyMatch(line -> line.endsWith("status=" + status));
            assertThat(valueOf("after=", lines)).isEqualTo(valueOf("before=", lines));
            assertThat(output().indexOf(FIRST_PAGE)).isGreaterThan(output().lastIndexOf(SECOND_PAGE));
        }

        private String valueOf(String name, List<String> lines) {
            return lines.stream()
                    .filter(line -> line.contains(name))
                    .map(line -> line.substring(line.indexOf(name) + name.length()))
                    .findFirst()
                    .orElseThrow();
        }

        private String output() throws IOException {
            return Files.readString(output);
        }

        @Override
        public void close() {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
