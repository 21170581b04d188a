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
            "Runs a development HBase on this machine.",
            "It is a whole HBase on real HDFS, as five processes on loopback, with data, logs and settings in one"
                    + " folder. See docs/hbase.md."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  taskmaster hbase start", "  taskmaster hbase stop"},
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
