package io.taskmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.cli.common.Terminal;
import io.taskmaster.server.cli.ServerProvider;
import io.taskmaster.time.Clock;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class DocumentedCommandsTest {

    private static final Set<String> SAID_FOR_ALL = Set.of("-h", "--help", "-V", "--version");

    @Test
    void thePageOfCommandsNamesEveryCommandAndOption() throws IOException {
        String page = Files.readString(Path.of("../docs/cli.md"));
        var silent = new PrintWriter(new StringWriter());
        var commands = new Commands(
                new Terminal(InputStream.nullInputStream(), silent, silent, false, Clock.system()),
                List.of(new ServerProvider()));

        commands.spec().subcommands().forEach((name, command) -> {
            if (command.getCommandSpec().usageMessage().hidden()) {
                return;
            }
            assertThat(page).contains("| `" + name + "` |");
            for (CommandLine.Model.OptionSpec option : command.getCommandSpec().options()) {
                if (!SAID_FOR_ALL.contains(option.longestName())) {
                    assertThat(page).as(name).contains(option.longestName());
                }
            }
        });
    }
}
