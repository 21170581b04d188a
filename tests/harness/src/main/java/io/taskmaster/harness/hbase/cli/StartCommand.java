package io.taskmaster.harness.hbase.cli;

import io.taskmaster.harness.hbase.DaemonRole;
import io.taskmaster.harness.hbase.HBaseDaemons;
import io.taskmaster.harness.hbase.HBaseException;
import io.taskmaster.harness.hbase.HBasePlan;
import io.taskmaster.proxy.program.ExitStatus;
import io.taskmaster.proxy.program.StartException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command, {@code hbase start}. */
@Command(
        name = "start",
        mixinStandardHelpOptions = true,
        description = {
            "Starts the processes that are not running, on the existing data.",
            "These are NameNode, DataNode, ZooKeeper, master and region servers. They continue after the command has"
                    + " ended."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  taskmaster hbase start", "  taskmaster hbase start --region-servers 2 --heap 1024"})
final class StartCommand implements Callable<Integer> {

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private FolderOption folder = new FolderOption();

    @Option(
            names = "--zookeeper-port",
            defaultValue = "2181",
            paramLabel = "PORT",
            description = "Port of ZooKeeper on loopback (default: ${DEFAULT-VALUE}). All other ports are free ones.")
    private int zookeeperPort = 2181;

    @Option(
            names = "--region-servers",
            defaultValue = "1",
            paramLabel = "N",
            description = "Number of region servers (default: ${DEFAULT-VALUE}).")
    private int regionServers = 1;

    @Option(
            names = "--heap",
            defaultValue = "512",
            paramLabel = "MB",
            description = "Heap of each region server, in megabytes (default: ${DEFAULT-VALUE}).")
    private int heapMegabytes = 512;

    @Option(
            names = "--no-sync",
            negatable = true,
            description = "Acknowledge writes before they are on disk: for measurements only.")
    private boolean sync = true;

    @Option(
            names = "--no-wait",
            negatable = true,
            description = "Return when the processes are started, not when HBase accepts writes.")
    private boolean waits = true;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            description = "Time limit until HBase accepts writes, after which all processes are ended (default: 3m).")
    private Duration timeout = Duration.ofMinutes(3);

    @Override
    public Integer call() throws StartException, InterruptedException {
        CommandLine command = Objects.requireNonNull(spec).commandLine();
        HBasePlan plan = plan(command);
        HBaseDaemons daemons = folder.daemons();
        try {
            String did = start(daemons, plan, command.getErr());
            command.getOut()
                    .printf(
                            "%s: zookeeper=%s data=%s%n",
                            did, daemons.zookeeper().orElseThrow(), plan.folder());
            return ExitStatus.OK.code();
        } catch (HBaseException failed) {
            command.getErr().println("taskmaster: " + failed.getMessage());
            return ExitStatus.FAILURE.code();
        }
    }

    private String start(HBaseDaemons daemons, HBasePlan plan, PrintWriter err)
            throws StartException, InterruptedException {
        try (StartProgress startProgress = new StartProgress(err)) {
            return switch (daemons.start(plan, waits, timeout, startProgress)) {
                case STARTED -> "%s after %d s".formatted(waits ? "ready" : "started", startProgress.seconds());
                case RAN_ALREADY -> "already running";
            };
        }
    }

    private HBasePlan plan(CommandLine command) {
        try {
            HBasePlan plan = HBasePlan.in(folder.folder())
                    .withZookeeperPort(zookeeperPort)
                    .withRegionServers(regionServers)
                    .withHeap(DaemonRole.REGION_SERVER, heapMegabytes);
            return sync ? plan : plan.withoutSync();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command, e.getMessage(), e);
        }
    }
}
