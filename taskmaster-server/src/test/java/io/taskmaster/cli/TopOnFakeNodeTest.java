package io.taskmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.cli.common.Terminal;
import io.taskmaster.proxy.program.StartException;
import io.taskmaster.server.FakeNode;
import io.taskmaster.server.TaskMasterServer;
import io.taskmaster.server.TestConfig;
import io.taskmaster.time.Clock;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of {@code taskmaster top} against a node whose partitions do not serve. */
final class TopOnFakeNodeTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void saysHowManyPartitionsItHasNotSeen() throws StartException {
        // A fake node cannot rank queues.
        try (var server = TaskMasterServer.start(TestConfig.freePorts(), (_, _) -> new FakeNode(4))) {
            assertThat(run(server, "top", "--all-groups")).isZero();
            assertThat(out.toString()).startsWith("queues 0, available 0, ");
            assertThat(err).hasToString("taskmaster: Partitions that do not serve, and whose queues are missing: 4\n");

            out.getBuffer().setLength(0);
            assertThat(run(server, "top", "--json")).isZero();
            assertThat(out.toString()).contains("\"closed_partitions\":1");
        }
    }

    private int run(TaskMasterServer server, String... args) {
        var all = new ArrayList<>(List.of(args));
        all.addAll(List.of("--server", "127.0.0.1:" + server.rpcPort()));
        var terminal = new Terminal(
                InputStream.nullInputStream(), new PrintWriter(out), new PrintWriter(err), false, Clock.system());
        return new Commands(terminal, List.of()).run(all.toArray(String[]::new));
    }
}
