package io.taskmaster.harness.hbase.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.proxy.program.ExitStatus;
import io.taskmaster.proxy.program.StartException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class HBaseCommandTest {

    @TempDir
    private Path folder = Path.of("");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void whereNothingWasStartedNothingRuns() {
        Path data = folder.resolve("data");

        assertThat(run("status", "--data", data.toString())).isEqualTo(ExitStatus.FAILURE.code());
        assertThat(run("stop", "--data", data.toString())).isEqualTo(ExitStatus.OK.code());
        assertThat(run("wipe", "--data", data.toString())).isEqualTo(ExitStatus.OK.code());

        assertThat(out.toString().lines())
                .containsExactly("never started in " + data, "not running", "nothing to delete");
        assertThat(data).doesNotExist();
    }

    @Test
    void aFolderOfSomebodyElseIsLeftAlone() throws IOException {
        Path thesis = Files.createFile(folder.resolve("thesis.tex"));

        assertThat(run("wipe", "--force", "--data", folder.toString())).isEqualTo(ExitStatus.DATA_UNUSABLE.code());
        assertThat(err.toString()).startsWith(folder + ": has other contents");
        assertThat(thesis).exists();
    }

    @Test
    void whatCannotBeIsRefused() {
        assertThat(run()).isEqualTo(ExitStatus.USAGE.code());
        assertThat(err.toString()).contains("command: missing (expected: start, stop, status or wipe)");
        assertThat(run("start", "--zookeeper-port", "many")).isEqualTo(ExitStatus.USAGE.code());
    }

    @Test
    void thePageOfCommandsNamesEveryOption() throws IOException {
        String page = Files.readString(Path.of("../../docs/cli.md"));

        assertThat(page).contains("| `hbase` |");
        new CommandLine(new HBaseCommand())
                .getSubcommands()
                .values()
                .forEach(command -> command.getCommandSpec().options().stream()
                        .map(CommandLine.Model.OptionSpec::longestName)
                        .filter(name -> !name.equals("--help") && !name.equals("--version"))
                        .forEach(name -> assertThat(page).contains(name)));
    }

    private int run(String... arguments) {
        return new CommandLine(new HBaseCommand())
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .setExecutionExceptionHandler((failure, command, parsed) -> {
                    command.getErr().println(failure.getMessage());
                    return ((StartException) failure).status().code();
                })
                .execute(arguments);
    }
}
