package io.taskmaster.integration.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.taskmaster.harness.hbase.HBaseDaemons;
import io.taskmaster.harness.hbase.HBaseDaemons.ProcessStatus;
import io.taskmaster.harness.hbase.HBasePlan;
import io.taskmaster.harness.process.ChildJvm;
import io.taskmaster.harness.process.JvmCommand;
import io.taskmaster.proxy.program.ExitStatus;
import io.taskmaster.testkit.FreePort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of {@code taskmaster hbase} from a shell's point of view: every command is a process of its own. */
final class HBaseCommandIT {

    private static final String MAIN_CLASS = "io.taskmaster.cli.Main";
    private static final Duration TIMEOUT = Duration.ofMinutes(4);

    private final Path folder;
    private final Path data;
    private final String port = Integer.toString(FreePort.onLoopback().getPort());
    private int runs;

    HBaseCommandIT(@TempDir Path folder) {
        this.folder = folder;
        this.data = folder.resolve("hbase data");
    }

    /** The exit status and the output of a command. */
    private record Ended(ExitStatus status, String output) {}

    @AfterEach
    void leaveNothingBehind() throws Exception {
        HBaseDaemons.in(data).wipe(true);
    }

    @Test
    void startsShowsRepairsStopsAndWipes() throws Exception {
        Ended start = hbase("start", "--zookeeper-port", port);
        assertThat(start.output()).contains("ready after").contains("zookeeper=127.0.0.1:" + port);
        assertThat(start.status()).isEqualTo(ExitStatus.OK);
        try (Rows rows = Rows.at("127.0.0.1:" + port)) {
            rows.write();
            runsUntilItIsStopped();
            takesTheDeadAwayAndBringsThemBack();
            assertThat(rows.read()).containsExactlyInAnyOrderElementsOf(rows.acknowledged());
        }
        endsAndIsForgotten();
    }

    private void runsUntilItIsStopped() throws Exception {
        assertThat(hbase("start", "--zookeeper-port", port))
                .isEqualTo(new Ended(
                        ExitStatus.OK, "already running: zookeeper=127.0.0.1:%s data=%s%n".formatted(port, data)));
        assertThat(hbase("wipe").status()).isEqualTo(ExitStatus.DATA_UNUSABLE);
        assertThat(hbase("start", "--zookeeper-port", "2").status()).isEqualTo(ExitStatus.FAILURE);

        Ended status = hbase("status");
        assertThat(status.status()).isEqualTo(ExitStatus.OK);
        assertThat(status.output())
                .containsPattern("namenode +up")
                .containsPattern("datanode +up")
                .containsPattern("zookeeper +up +[0-9]+ +" + port)
                .containsPattern("master +up")
                .containsPattern("regionserver-1 +up")
                .doesNotContain("down");

        Path elsewhere = folder.resolve("elsewhere");
        Ended second = run(List.of("start", "--data", elsewhere.toString(), "--zookeeper-port", port));
        assertThat(second.status()).isEqualTo(ExitStatus.FAILURE);
        assertThat(second.output()).contains("zookeeper port: " + port + " (expected: a free port");
    }

    private void takesTheDeadAwayAndBringsThemBack() throws Exception {
        for (String name : List.of("master", "datanode")) {
            ProcessHandle process = ProcessHandle.of(pidOf(name)).orElseThrow();
            process.destroyForcibly();
            await().atMost(TIMEOUT).until(() -> !process.isAlive());
        }
        Ended status = hbase("status");
        assertThat(status.status()).isEqualTo(ExitStatus.FAILURE);
        assertThat(status.output()).containsPattern("master +down").containsPattern("datanode +down");

        assertThat(hbase("start", "--zookeeper-port", port).status()).isEqualTo(ExitStatus.OK);
        assertThat(hbase("status").status()).isEqualTo(ExitStatus.OK);
    }

    private void endsAndIsForgotten() throws Exception {
        List<ProcessStatus> ran = processes();
        assertThat(ran).hasSize(5).allMatch(HBaseCommandIT::listens);
        assertThat(hbase("stop")).isEqualTo(new Ended(ExitStatus.OK, "stopped%n".formatted()));
        assertThat(ran).noneMatch(HBaseCommandIT::listens);
        assertThat(hbase("status").status()).isEqualTo(ExitStatus.FAILURE);
        assertThat(hbase("stop").output()).startsWith("not running");

        assertThat(hbase("wipe").status()).isEqualTo(ExitStatus.OK);
        assertThat(data).doesNotExist();
    }

    @Test
    void aStartThatFailsLeavesNothingRunningAndShowsWhy() throws Exception {
        Path broken = Files.createDirectory(folder.resolve("no jars"));
        Ended start = run(
                List.of("start", "--data", data.toString(), "--zookeeper-port", port),
                List.of("-D" + HBasePlan.JARS_PROPERTY + "=" + broken));

        assertThat(start.status()).isEqualTo(ExitStatus.FAILURE);
        assertThat(start.output()).contains("ClassNotFoundException");
        assertThat(processes()).noneMatch(process -> process.pid().isPresent());
    }

    private static boolean listens(ProcessStatus process) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), process.port())) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    private long pidOf(String name) {
        return processes().stream()
                .filter(process -> process.name().equals(name))
                .findFirst()
                .flatMap(ProcessStatus::pid)
                .orElseThrow();
    }

    private List<ProcessStatus> processes() {
        return HBaseDaemons.in(data).status();
    }

    private Ended hbase(String command, String... options) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(command, "--data", data.toString()));
        arguments.addAll(List.of(options));
        return run(arguments);
    }

    private Ended run(List<String> arguments) throws Exception {
        return run(
                arguments, List.of("-D" + HBasePlan.JARS_PROPERTY + "=" + System.getProperty(HBasePlan.JARS_PROPERTY)));
    }

    private Ended run(List<String> arguments, List<String> flags) throws Exception {
        List<String> words = new ArrayList<>(List.of("hbase"));
        words.addAll(arguments);
        Path output = folder.resolve("output-" + runs++);
        try (ChildJvm command = ChildJvm.start(JvmCommand.of(MAIN_CLASS, words).withFlags(flags), output)) {
            int code = command.awaitExit(TIMEOUT).orElseThrow();
            ExitStatus status = List.of(ExitStatus.values()).stream()
                    .filter(each -> each.code() == code)
                    .findFirst()
                    .orElseThrow();
            return new Ended(status, Files.readString(output));
        }
    }
}
