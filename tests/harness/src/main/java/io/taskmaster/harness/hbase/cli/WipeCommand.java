package io.taskmaster.harness.hbase.cli;

import io.taskmaster.proxy.program.ExitStatus;
import io.taskmaster.proxy.program.StartException;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A command, {@code hbase wipe}. Exit status 3 if any process runs. */
@Command(
        name = "wipe",
        mixinStandardHelpOptions = true,
        description = "Deletes the folder with all data. Does nothing while a process runs (exit status 3).",
        footerHeading = "%nExamples:%n",
        footer = "  taskmaster hbase wipe --force")
final class WipeCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private FolderOption folder = new FolderOption();

    @Option(names = "--force", description = "Kill the processes that run.")
    private boolean force;

    @Override
    public Integer call() throws StartException, InterruptedException {
        boolean was = folder.daemons().wipe(force);
        Objects.requireNonNull(spec).commandLine().getOut().println(was ? "wiped" : "nothing to delete");
        return ExitStatus.OK.code();
    }
}
