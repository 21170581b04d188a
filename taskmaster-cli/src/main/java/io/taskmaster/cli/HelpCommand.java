package io.taskmaster.cli;

import io.taskmaster.cli.common.Terminal;
import io.taskmaster.cli.common.VersionLine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** The command {@code taskmaster help}: prints the usage text of a command, or the list of commands. */
@Command(
        mixinStandardHelpOptions = true,
        versionProvider = VersionLine.class,
        description = "Shows the commands, or the options and examples of one command.",
        footerHeading = "%nExamples:%n",
        footer = {"  taskmaster help", "  taskmaster help enqueue", "  taskmaster help demo conversion"})
final class HelpCommand implements Callable<Integer> {

    private final Terminal terminal;
    private final CommandLine root;

    @Parameters(paramLabel = "COMMAND", arity = "0..*", description = "Command, and its subcommand if it has any.")
    private List<String> words = new ArrayList<>();

    HelpCommand(Terminal terminal, CommandLine root) {
        this.terminal = terminal;
        this.root = root;
    }

    @Override
    public Integer call() {
        CommandLine command = root;
        for (String word : words) {
            CommandLine next = command.getSubcommands().get(word);
            if (next == null) {
                throw new ParameterException(
                        command, "no such command: " + word + UsageError.closest(word, UsageError.commandsOf(command)));
            }
            command = next;
        }
        command.usage(terminal.out());
        return 0;
    }
}
