package io.taskmaster.cli;

import io.taskmaster.cli.common.Terminal;
import io.taskmaster.cli.common.VersionLine;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
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

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "COMMAND",
            completionCandidates = Names.class,
            description = "Command (default: the list of commands).")
    private @Nullable String first;

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "SUBCOMMAND", description = "Subcommand of that command.")
    private List<String> further = new ArrayList<>();

    private HelpCommand(Terminal terminal, CommandLine root) {
        this.terminal = terminal;
        this.root = root;
    }

    /**
     * Returns the command.
     *
     * @param root its parent, whose subcommands it explains; they may be added later
     */
    static CommandLine of(Terminal terminal, CommandLine root) {
        return new CommandLine(new HelpCommand(terminal, root), new NamesFactory(root));
    }

    @Override
    public Integer call() {
        CommandLine command = root;
        List<String> words = new ArrayList<>();
        Optional.ofNullable(first).ifPresent(words::add);
        words.addAll(further);
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

    /** The names of the commands, for completion. */
    private record Names(CommandLine root) implements Iterable<String> {

        @Override
        public Iterator<String> iterator() {
            return UsageError.commandsOf(root).iterator();
        }
    }

    /** A factory of picocli that can also create the names. */
    private record NamesFactory(CommandLine root) implements CommandLine.IFactory {

        @Override
        public <K> K create(Class<K> type) throws Exception {
            return type == Names.class
                    ? type.cast(new Names(root))
                    : CommandLine.defaultFactory().create(type);
        }
    }
}
