package io.taskmaster.harness.hbase.cli;

import io.taskmaster.proxy.program.ExitStatus;
import io.taskmaster.proxy.program.StartException;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command, {@code hbase stop}. */
@Command(
        name = "stop",
        mixinStandardHelpOptions = true,
        description =
                "Stops all processes in order: region servers, master, ZooKeeper, DataNode, NameNode. The data stay.",
        footerHeading = "%nExamples:%n",
        footer = "  taskmaster hbase stop")
final class StopCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private FolderOption folder = new FolderOption();

    @Override
    public Integer call() throws StartException, InterruptedException {
        CommandSpec command = Objects.requireNonNull(spec);
        boolean stopped;
        try (StartProgress startProgress =
                new StartProgress(command.commandLine().getErr())) {
            stopped = folder.daemons().stop(startProgress);
        }
        command.commandLine().getOut().println(stopped ? "stopped" : "not running");
        return ExitStatus.OK.code();
    }
}
