package io.taskmaster.harness.hbase.cli;

import io.taskmaster.harness.hbase.HBaseDaemons;
import io.taskmaster.harness.hbase.HBaseDaemons.ProcessStatus;
import io.taskmaster.proxy.program.ExitStatus;
import java.io.PrintWriter;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command, {@code hbase status}. Exit status 0 if all processes run, 1 if not. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description = "Shows every process. The exit status is 0 if all run, otherwise 1.",
        footerHeading = "%nExamples:%n",
        footer = "  taskmaster hbase status")
final class StatusCommand implements Callable<Integer> {

    private static final String ROW = "%-16s  %-7s  %8s  %6s  %s%n";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneId.systemDefault());

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private FolderOption folder = new FolderOption();

    @Override
    public Integer call() {
        PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
        HBaseDaemons daemons = folder.daemons();
        List<ProcessStatus> processes = daemons.status();
        if (processes.isEmpty()) {
            out.println("never started in " + folder.folder());
            return ExitStatus.FAILURE.code();
        }
        out.printf(ROW, "process", "state", "pid", "port", "up since");
        for (ProcessStatus process : processes) {
            out.printf(
                    ROW,
                    process.name(),
                    process.pid().isPresent() ? "up" : "down",
                    process.pid().map(String::valueOf).orElse("-"),
                    process.port(),
                    process.since().map(TIME::format).orElse("-"));
        }
        out.println("zookeeper=" + daemons.zookeeper().orElseThrow());
        boolean allRun = processes.stream().allMatch(process -> process.pid().isPresent());
        return (allRun ? ExitStatus.OK : ExitStatus.FAILURE).code();
    }
}
