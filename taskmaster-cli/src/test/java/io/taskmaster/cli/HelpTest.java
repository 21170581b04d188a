package io.taskmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.cli.common.Terminal;
import io.taskmaster.time.Clock;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of help texts, and of the lines about wrong command lines. */
final class HelpTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void theListOfCommandsHasSections() {
        assertThat(run("help")).isZero();
        assertThat(out.toString().lines())
                .containsSubsequence("Tasks:", "Queues:", "Monitoring:", "Export and import:", "Server:", "Help:")
                .anyMatch(line -> line.matches("  enqueue +Enqueues a task, or one per line of standard input\\."))
                .noneMatch(line -> line.startsWith("Demos"));
        String listed = out.toString();

        assertThat(run("--help")).isZero();
        assertThat(out.toString()).isEqualTo(listed);
    }

    @Test
    void everyCommandIsInTheListOnce() {
        run("help");
        new Commands(terminal(), List.of()).spec().subcommands().forEach((name, command) -> {
            boolean isHidden = command.getCommandSpec().usageMessage().hidden();
            assertThat(out.toString().lines().filter(line -> line.startsWith("  " + name + " ")))
                    .as(name)
                    .hasSize(isHidden ? 0 : 1);
        });
    }

    @Test
    void helpOfACommandIsThatOfItsOption() {
        assertThat(run("help enqueue")).isZero();
        String help = out.toString();
        assertThat(help).contains("Usage: taskmaster enqueue", "Examples:", "--profile");
        assertThat(run("enqueue --help")).isZero();
        assertThat(out.toString()).isEqualTo(help);
    }

    @ParameterizedTest
    @ValueSource(strings = {"configure", "pause", "resume"})
    void commandsThatReadBeforeTheyWriteWarnOfIt(String command) {
        assertThat(run("help " + command)).isZero();
        assertThat(out.toString().replaceAll("\\s+", " "))
                .contains("a change of it by another client in between is lost");
    }

    @Test
    void withoutACommandTheListGoesToStandardError() {
        assertThat(new Commands(terminal(), List.of()).run()).isEqualTo(2);
        assertThat(err.toString()).contains("Usage: taskmaster", "Tasks:");
        assertThat(out.toString()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "enqeue q d | no such command: enqeue (did you mean enqueue?) | taskmaster",
                "dance | no such command: dance | taskmaster",
                "help danse | no such command: danse | taskmaster",
                "man-page d | no such command: man-page | taskmaster",
                "help man-page | no such command: man-page | taskmaster",
                "enqueue q d --grup g | no such option: --grup (did you mean --group?) | taskmaster enqueue",
                "watch q d | unexpected argument: d | taskmaster watch",
                "lease q --max many | invalid value for option '--max': 'many' is not an int | taskmaster lease",
                "enqueue | missing required parameter: 'QUEUE' | taskmaster enqueue",
                "renew q p | LEASE: missing (expected: the lease id that lease printed) | taskmaster renew"
            })
    void aWrongCommandLineIsOneLineAndAPointer(String line, String said, String command) {
        assertThat(run(line)).isEqualTo(2);
        assertThat(err.toString().lines()).containsExactly("taskmaster: " + said, "Try '" + command + " --help'.");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void manualPagesThatCannotBeWrittenAreOneLine(@TempDir Path folder) throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertThat(run("man-pages " + file.resolve("man"))).isEqualTo(1);
        assertThat(err.toString().lines())
                .singleElement()
                .asString()
                .startsWith("taskmaster: " + file.resolve("man") + ": cannot be written (");
    }

    private int run(String line) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        return new Commands(terminal(), List.of()).run(line.split(" ", -1));
    }

    private Terminal terminal() {
        return new Terminal(
                InputStream.nullInputStream(), new PrintWriter(out), new PrintWriter(err), false, Clock.system());
    }
}
