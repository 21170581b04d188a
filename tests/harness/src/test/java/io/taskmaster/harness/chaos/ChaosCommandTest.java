package io.taskmaster.harness.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.proxy.program.ExitStatus;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class ChaosCommandTest {

    @TempDir
    private Path folder = Path.of("");

    private final StringWriter err = new StringWriter();

    @Test
    void whatCannotBeRunIsRefusedWithAReason() {
        assertThat(run("--store", "memory")).isEqualTo(ExitStatus.USAGE.code());
        assertThat(err.toString())
                .contains("--store: memory (expected: rocksdb or hbase; nothing in memory survives a kill");
        assertThat(run("--store", "bigtable")).isEqualTo(ExitStatus.USAGE.code());
        assertThat(err.toString()).contains("--store: bigtable (expected: rocksdb or hbase)");
        assertThat(run("--faults", "kill,flood")).isEqualTo(ExitStatus.USAGE.code());
        assertThat(err.toString()).contains("fault: flood (expected: one of kill, stop,");
        assertThat(run("--faults", "kill,stop-data-node")).isEqualTo(ExitStatus.USAGE.code());
        assertThat(err.toString())
                .contains("fault: stop-data-node (expected: a kind that --store rocksdb has: kill, stop,");
        assertThat(run("--minutes", "0")).isEqualTo(ExitStatus.USAGE.code());
        assertThat(run("--queues", "1")).isEqualTo(ExitStatus.USAGE.code());
        assertThat(run("--workers", "0")).isEqualTo(ExitStatus.USAGE.code());
        assertThat(run("--tokens", "0")).isEqualTo(ExitStatus.USAGE.code());
    }

    @Test
    void aFolderInUseIsRefused() throws IOException {
        Files.createDirectory(folder.resolve("history"));

        assertThat(run("--keep", folder.toString())).isEqualTo(ExitStatus.FAILURE.code());
        assertThat(err.toString()).contains("folder: " + folder);
    }

    @Test
    void thePagesNameEveryOption() throws IOException {
        String page = Files.readString(Path.of("../../docs/chaos.md"));
        assertThat(Files.readString(Path.of("../../docs/cli.md"))).contains("| `chaos` |");
        new CommandLine(new ChaosCommand())
                .getCommandSpec().options().stream()
                        .map(option -> option.longestName())
                        .filter(name -> !name.equals("--help") && !name.equals("--version"))
                        .forEach(name -> assertThat(page).contains("`" + name + " "));
    }

    private int run(String... arguments) {
        return new CommandLine(new ChaosCommand())
                .setErr(new PrintWriter(err, true))
                .setOut(new PrintWriter(new StringWriter()))
                .execute(arguments);
    }
}
