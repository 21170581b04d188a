package io.taskmaster.harness.hbase.cli;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command, {@code hbase}: a development HBase on this machine. */
@Command(
        name = "hbase",
        mixinStandardHelpOptions = true,
        description = {
            "Runs HBase on HDFS on this machine, for development and tests: five processes on loopback.",
            "Its data, logs and settings are in one folder. See docs/hbase.md."
        },
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {StartCommand.class, StopCommand.class, StatusCommand.class, WipeCommand.class})
final class HBaseCommand implements Runnable {

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                Objects.requireNonNull(spec).commandLine(), "command: missing (expected: start, stop, status or wipe)");
    }
}
