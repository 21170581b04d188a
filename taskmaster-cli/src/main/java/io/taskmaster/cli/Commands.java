package io.taskmaster.cli;

import io.taskmaster.cli.archive.ExportCommand;
import io.taskmaster.cli.archive.ImportCommand;
import io.taskmaster.cli.common.ByteText;
import io.taskmaster.cli.common.ErrorAdvice;
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
import java.util.stream.StreamSupport;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** All commands of {@code taskmaster}, those that other modules add included, and their exit statuses. */
final class Commands {

    private final Terminal terminal;
    private final CommandLine commandLine;

    /**
     * Creates the commands.
     *
     * @param further the commands that other modules add, in any order
     */
    Commands(Terminal terminal, Iterable<CommandProvider> further) {
        this.terminal = terminal;
        commandLine = new CommandLine(new Root())
                .addSubcommand("enqueue", new EnqueueCommand(terminal))
                .addSubcommand("lease", new LeaseCommand(terminal))
                .addSubcommand("dequeue", new DequeueCommand(terminal))
                .addSubcommand("renew", new RenewCommand(terminal))
                .addSubcommand("release", new ReleaseCommand(terminal))
                .addSubcommand("queues", new QueuesCommand(terminal))
                .addSubcommand("describe", new DescribeCommand(terminal))
                .addSubcommand("top", new TopCommand(terminal, LiveScreen::open))
                .addSubcommand("watch", new WatchCommand(terminal))
                .addSubcommand("flow", new FlowCommand(terminal))
                .addSubcommand("peek", new PeekCommand(terminal))
                .addSubcommand("delete", new DeleteCommand(terminal))
                .addSubcommand("redrive", new RedriveCommand(terminal))
                .addSubcommand("export", new ExportCommand(terminal))
                .addSubcommand("import", new ImportCommand(terminal))
                .addSubcommand("configure", new ConfigureCommand(terminal))
                .addSubcommand("pause", new PauseSwitch.Pause(terminal))
                .addSubcommand("resume", new PauseSwitch.Resume(terminal))
                .addSubcommand("token", new TokenCommand(terminal));
        // In an order that does not depend on the class path.
        StreamSupport.stream(further.spliterator(), false)
                .sorted(Comparator.comparing(CommandProvider::name))
                .forEach(provider -> commandLine.addSubcommand(provider.name(), provider.command()));
        commandLine.addSubcommand("completion", new CompletionCommand(terminal, commandLine));
        settle();
    }

    /** Applies the settings of picocli, which reach only the subcommands added before. */
    private void settle() {
        commandLine
                .setOut(terminal.out())
                .setErr(terminal.err())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .registerConverter(Bytes.class, text -> Bytes.wrap(ByteText.parse(text)))
                .registerConverter(Pid.class, text -> Pid.wrap(ByteText.parse(text)))
                .registerConverter(QueueName.class, text -> QueueName.wrap(ByteText.parse(text)))
                .registerConverter(GroupName.class, text -> GroupName.wrap(ByteText.parse(text)))
                .registerConverter(Duration.class, Commands::duration)
                .registerConverter(Instant.class, Commands::instant)
                .registerConverter(RequestId.class, Commands::requestId)
                .registerConverter(IfExists.class, Commands::ifExists)
                .setExecutionExceptionHandler(this::failed);
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

    /** The root command, without a subcommand. */
    @Command(
            name = "taskmaster",
            mixinStandardHelpOptions = true,
            versionProvider = VersionLine.class,
            description = "A reliable, priority-ordered task queue.",
            synopsisSubcommandLabel = "COMMAND",
            footer = {
                "",
                "Text is UTF-8; base64: before a value means bytes.",
                "Exit status: 0 fine, 1 failed, 2 usage or configuration, 3 data in use or of an unknown layout."
            })
    static final class Root {}

    /** The model of the commands, for tests. */
    CommandSpec spec() {
        return commandLine.getCommandSpec();
    }
}
