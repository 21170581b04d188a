package io.taskmaster.cli;

import io.taskmaster.cli.archive.ExportCommand;
import io.taskmaster.cli.archive.ImportCommand;
import io.taskmaster.cli.common.ByteText;
import io.taskmaster.cli.common.ErrorAdvice;
import io.taskmaster.cli.common.PidText;
import io.taskmaster.cli.common.Terminal;
import io.taskmaster.cli.common.VersionLine;
import io.taskmaster.cli.queues.ConfigureCommand;
import io.taskmaster.cli.queues.DeleteCommand;
import io.taskmaster.cli.queues.DescribeCommand;
import io.taskmaster.cli.queues.FlowCommand;
import io.taskmaster.cli.queues.PauseSwitch;
import io.taskmaster.cli.queues.QueuesCommand;
import io.taskmaster.cli.queues.TopCommand;
import io.taskmaster.cli.queues.WatchCommand;
import io.taskmaster.cli.screen.LiveScreen;
import io.taskmaster.cli.tasks.DequeueCommand;
import io.taskmaster.cli.tasks.EnqueueCommand;
import io.taskmaster.cli.tasks.LeaseCommand;
import io.taskmaster.cli.tasks.PeekCommand;
import io.taskmaster.cli.tasks.RedriveCommand;
import io.taskmaster.cli.tasks.ReleaseCommand;
import io.taskmaster.cli.tasks.RenewCommand;
import io.taskmaster.client.RequestId;
import io.taskmaster.client.Update.IfExists;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueName;
import io.taskmaster.proxy.config.ConfigException;
import io.taskmaster.proxy.config.Values;
import io.taskmaster.proxy.program.ExitStatus;
import io.taskmaster.proxy.program.StartException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.StreamSupport;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** All commands of {@code taskmaster}, those that other modules add included, and their exit statuses. */
final class Commands {

    private static final int USAGE_WIDTH = 100;

    private final Terminal terminal;
    private final CommandLine commandLine;
    private final Map<String, CommandSection> sections = new LinkedHashMap<>();

    /**
     * Creates the commands.
     *
     * @param further the commands that other modules add, in any order
     */
    Commands(Terminal terminal, Iterable<CommandProvider> further) {
        this.terminal = terminal;
        commandLine = new CommandLine(new Root(this::usage));
        add(CommandSection.TASKS, "enqueue", new EnqueueCommand(terminal));
        add(CommandSection.TASKS, "lease", new LeaseCommand(terminal));
        add(CommandSection.TASKS, "dequeue", new DequeueCommand(terminal));
        add(CommandSection.TASKS, "renew", new RenewCommand(terminal));
        add(CommandSection.TASKS, "release", new ReleaseCommand(terminal));
        add(CommandSection.TASKS, "peek", new PeekCommand(terminal));
        add(CommandSection.TASKS, "redrive", new RedriveCommand(terminal));
        add(CommandSection.QUEUES, "queues", new QueuesCommand(terminal));
        add(CommandSection.QUEUES, "describe", new DescribeCommand(terminal));
        add(CommandSection.QUEUES, "configure", new ConfigureCommand(terminal));
        add(CommandSection.QUEUES, "pause", new PauseSwitch.Pause(terminal));
        add(CommandSection.QUEUES, "resume", new PauseSwitch.Resume(terminal));
        add(CommandSection.QUEUES, "delete", new DeleteCommand(terminal));
        add(CommandSection.MONITORING, "top", new TopCommand(terminal, LiveScreen::open));
        add(CommandSection.MONITORING, "watch", new WatchCommand(terminal));
        add(CommandSection.MONITORING, "flow", new FlowCommand(terminal));
        add(CommandSection.ARCHIVES, "export", new ExportCommand(terminal));
        add(CommandSection.ARCHIVES, "import", new ImportCommand(terminal));
        // In an order that does not depend on the class path.
        StreamSupport.stream(further.spliterator(), false)
                .sorted(Comparator.comparing(CommandProvider::name))
                .forEach(provider -> add(provider.section(), provider.name(), provider.command()));
        add(CommandSection.SERVER, "token", new TokenCommand(terminal));
        add(CommandSection.HELP, "completion", new CompletionCommand(terminal, commandLine));
        add(CommandSection.HELP, "man-pages", new ManPagesCommand(terminal, commandLine));
        add(CommandSection.HELP, "help", HelpCommand.of(terminal, commandLine));
        settle();
    }

    private void add(CommandSection section, String name, Object command) {
        commandLine.addSubcommand(name, command);
        sections.put(name, section);
    }

    /** Applies the settings of picocli, which reach only the subcommands added before. */
    private void settle() {
        commandLine
                .setOut(terminal.out())
                .setErr(terminal.err())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .registerConverter(Bytes.class, text -> Bytes.wrap(ByteText.parse(text)))
                .registerConverter(Pid.class, PidText::parse)
                .registerConverter(QueueName.class, text -> QueueName.wrap(ByteText.parse(text)))
                .registerConverter(GroupName.class, text -> GroupName.wrap(ByteText.parse(text)))
                .registerConverter(Duration.class, Commands::duration)
                .registerConverter(Instant.class, Commands::instant)
                .registerConverter(RequestId.class, Commands::requestId)
                .registerConverter(IfExists.class, Commands::ifExists)
                .setUsageHelpWidth(USAGE_WIDTH)
                .setParameterExceptionHandler(this::misused)
                .setExecutionExceptionHandler(this::failed);
        commandLine.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, new CommandList(sections));
    }

    /** Prints the list of commands to standard error: no command was given. */
    private int usage() {
        commandLine.usage(terminal.err());
        return ExitStatus.USAGE.code();
    }

    /** Prints one line to standard error, and a pointer to the help of the command. */
    private int misused(ParameterException error, String[] arguments) {
        terminal.err().println("taskmaster: " + UsageError.lineOf(error));
        terminal.err().println("Try '" + error.getCommandLine().getCommandSpec().qualifiedName() + " --help'.");
        return ExitStatus.USAGE.code();
    }

    int run(String... args) {
        int status = commandLine.execute(args);
        terminal.out().flush();
        terminal.err().flush();
        return status;
    }

    /** Prints one line to standard error; a stack trace only for unexpected exceptions. */
    private int failed(Exception error, CommandLine command, ParseResult parsed) {
        ExitStatus status = switch (error) {
            case TaskMasterException e -> {
                terminal.err().println("taskmaster: " + ErrorAdvice.lineOf(e));
                yield ExitStatus.FAILURE;
            }
            case StartException e -> {
                terminal.err().println("taskmaster: " + e.getMessage());
                yield e.status();
            }
            case ConfigException e -> {
                terminal.err().println("taskmaster: " + e.getMessage());
                yield ExitStatus.USAGE;
            }
            default -> {
                error.printStackTrace(terminal.err());
                yield ExitStatus.FAILURE;
            }
        };
        return status.code();
    }

    private static Duration duration(String text) {
        try {
            return Values.duration("duration", text);
        } catch (ConfigException e) {
            throw new CommandLine.TypeConversionException(e.getMessage());
        }
    }

    private static Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw new CommandLine.TypeConversionException(
                    "time: " + text + " (expected: RFC 3339, as 2026-11-21T09:30:00Z)");
        }
    }

    private static RequestId requestId(String text) {
        try {
            return new RequestId(Bytes.wrap(ByteText.parse(text)));
        } catch (IllegalArgumentException e) {
            throw new CommandLine.TypeConversionException(e.getMessage());
        }
    }

    private static IfExists ifExists(String text) {
        for (IfExists value : IfExists.values()) {
            if (value.name().equalsIgnoreCase(text)) {
                return value;
            }
        }
        throw new CommandLine.TypeConversionException(text + " (expected: collapse, replace, rerun or fail)");
    }

    /** The root command. Without a subcommand it prints the list of commands. */
    @Command(
            name = "taskmaster",
            mixinStandardHelpOptions = true,
            versionProvider = VersionLine.class,
            description = "A reliable, priority-ordered task queue.",
            synopsisSubcommandLabel = "COMMAND",
            commandListHeading = "",
            footer = {
                "",
                "'taskmaster help COMMAND' shows options and examples.",
                "",
                "Values are UTF-8 text; base64: before a value means bytes, and fifo: a PID that a server assigned.",
                "Exit status: 0 success, 1 failure, 2 wrong usage or configuration. Of a server also: 3 data in use, damaged"
                        + " or of an unknown layout, 4 store cannot be closed, 5 out of memory."
            })
    static final class Root implements Callable<Integer> {

        private final Callable<Integer> usage;

        Root(Callable<Integer> usage) {
            this.usage = usage;
        }

        @Override
        public Integer call() throws Exception {
            return usage.call();
        }
    }

    /** The model of the commands, for tests. */
    CommandSpec spec() {
        return commandLine.getCommandSpec();
    }
}
