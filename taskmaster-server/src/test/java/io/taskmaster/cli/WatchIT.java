package io.taskmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.taskmaster.cli.common.Terminal;
import io.taskmaster.proxy.program.StartException;
import io.taskmaster.server.Nodes;
import io.taskmaster.server.TaskMasterServer;
import io.taskmaster.server.TestConfig;
import io.taskmaster.time.Clock;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests of {@code watch} across restarts of its server. */
final class WatchIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void aServerThatIsGoneForAWhileIsToldOnceAndAskedOn() throws StartException {
        TaskMasterServer first = TaskMasterServer.start(TestConfig.freePorts(), Nodes.factory());
        String address = "127.0.0.1:" + first.rpcPort();
        CompletableFuture<Integer> watch = CompletableFuture.supplyAsync(
                () -> run("watch", "q", "--count", "30", "--interval", "100ms", "--server", address));
        await().atMost(TIMEOUT).until(() -> out.toString().contains("Z "));
        first.close();
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(err.toString()).startsWith("taskmaster: "));

        TaskMasterServer second = TaskMasterServer.start(
                TestConfig.reader().set("listen", address).read(), Nodes.factory());
        try {
            assertThat(watch.join()).isZero();
        } finally {
            second.close();
        }
        assertThat(out.toString()).hasLineCount(30 + 2);
        assertThat(err.toString()).hasLineCount(1);
    }

    @Test
    void aServerThatWasNeverThereIsAnError() {
        assertThat(run("watch", "q", "--server", "127.0.0.1:1", "--timeout", "2s"))
                .isEqualTo(1);
        assertThat(out.toString()).isEmpty();
        assertThat(err.toString()).startsWith("taskmaster: NOT_CONNECTED: ").hasLineCount(1);
    }

    private int run(String... args) {
        Terminal terminal = new Terminal(
                InputStream.nullInputStream(), new PrintWriter(out), new PrintWriter(err), false, Clock.system());
        return new Commands(terminal, List.of()).run(args);
    }
}
