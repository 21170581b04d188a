package io.taskmaster.cli;

import io.taskmaster.cli.common.Terminal;
import io.taskmaster.cli.common.VersionLine;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command {@code taskmaster completion}: prints a completion script. */
@Command(
        mixinStandardHelpOptions = true,
        versionProvider = VersionLine.class,
        description = "Prints a completion script for bash and zsh.",
        footerHeading = "%nExamples:%n",
        footer = "  source <(taskmaster completion)")
final class CompletionCommand implements Callable<Integer> {

    private final Terminal terminal;
    private final CommandLine root;

    CompletionCommand(Terminal terminal, CommandLine root) {
        this.terminal = terminal;
        this.root = root;
    }

    @Override
    public Integer call() {
        terminal.out().print(AutoComplete.bash("taskmaster", root));
        return 0;
    }
}
