package io.taskmaster.harness.chaos;

import io.taskmaster.harness.fault.FaultKind;
import io.taskmaster.harness.fault.FaultKind.Part;
import io.taskmaster.harness.fault.FaultScript;
import io.taskmaster.harness.machine.PreloadedLibrary;
import io.taskmaster.proxy.program.ExitStatus;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * A command, {@code chaos}, that runs a server under faults and judges it. Exit status 0 if the verdict is clean, 1 if
 * it is not.
 */
@Command(
        name = "chaos",
        mixinStandardHelpOptions = true,
        description = {
            "Kills, freezes and cuts off servers and workers at random, and checks every reply.",
            "Meanwhile the workers move tokens from queue to queue. It starts all processes itself, on new data, and"
                    + " ends them. The exit status is 1 if a promise was broken."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  taskmaster chaos",
            "  taskmaster chaos --minutes 10 --faults kill,stall,kill-worker",
            "  taskmaster chaos --store hbase --seed 17"
        })
final class ChaosCommand implements Callable<Integer> {

    private static final String ROCKSDB = "rocksdb";
    private static final DateTimeFormatter FOLDER = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--minutes",
            defaultValue = "1",
            paramLabel = "M",
            description = "Duration of the faults, in minutes (default: ${DEFAULT-VALUE}).")
    private double minutes = 1;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Seed of the faults and of the workers' choices (default: random).")
    private @Nullable Long seed;

    @Option(
            names = "--store",
            defaultValue = ROCKSDB,
            paramLabel = "STORE",
            description = "Store: rocksdb, or hbase, which the run starts itself (default: ${DEFAULT-VALUE}).")
    private String store = ROCKSDB;

    @Option(
            names = "--faults",
            split = ",",
            paramLabel = "KIND",
            description =
                    "Kinds of faults, separated by commas: kill, stop, restart (the server); disconnect, stall, slow"
                            + " (the network); kill-worker, stop-worker; disk, descriptors, clock (of the server's"
                            + " machine); and with --store hbase kill-region-server, stop-region-server, kill-data-node,"
                            + " stop-data-node (default: all that the store has).")
    private List<String> kinds = List.of();

    @Option(
            names = "--tokens",
            defaultValue = "300",
            paramLabel = "N",
            description = "Number of tokens (default: ${DEFAULT-VALUE}).")
    private int tokens = 300;

    @Option(
            names = "--queues",
            defaultValue = "5",
            paramLabel = "K",
            description = "Number of queues in each of three rings (default: ${DEFAULT-VALUE}).")
    private int queues = 5;

    @Option(
            names = "--workers",
            defaultValue = "3",
            paramLabel = "W",
            description = "Number of worker processes (default: ${DEFAULT-VALUE}).")
    private int workers = 3;

    @Option(
            names = "--keep",
            paramLabel = "FOLDER",
            description = "Empty or new folder for the history (default: a new folder in ./chaos).")
    private @Nullable Path keep;

    @Option(
            names = "--patch",
            paramLabel = "FOLDER",
            description =
                    "Folder of classes that the server loads before its own: to plant a bug, and see that it is found.")
    private @Nullable Path patch;

    @Override
    public Integer call() throws InterruptedException, IOException {
        CommandSpec command = Objects.requireNonNull(spec);
        PrintWriter err = command.commandLine().getErr();
        ChaosScreen chaosScreen =
                new ChaosScreen(command.commandLine().getOut(), err, Boolean.getBoolean("taskmaster.terminal"));
        try {
            ChaosSettings settings = settings(command);
            FaultScript script = FaultScript.draw(settings.seed(), settings.faults(), settings.length());
            ChaosReport report = ChaosRun.run(settings, script, chaosScreen);
            return (report.isClean() ? ExitStatus.OK : ExitStatus.FAILURE).code();
        } catch (ChaosException failed) {
            err.println("taskmaster: " + failed.getMessage());
            return ExitStatus.FAILURE.code();
        }
    }

    private ChaosSettings settings(CommandSpec command) {
        try {
            ChaosStoreKind kind = ChaosStoreKind.of(store);
            return new ChaosSettings(
                    Duration.ofMillis(Math.round(minutes * 60_000)),
                    seed == null ? ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE) : seed,
                    kind,
                    faults(kind),
                    tokens,
                    queues,
                    workers,
                    keep == null
                            ? Path.of(
                                    "chaos",
                                    LocalDateTime.now(ZoneId.systemDefault()).format(FOLDER))
                            : keep,
                    Optional.ofNullable(patch));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }

    private Set<FaultKind> faults(ChaosStoreKind kind) {
        return kinds.isEmpty()
                ? possible(kind.faults())
                : kinds.stream()
                        .map(FaultKind::of)
                        .collect(Collectors.toCollection(() -> EnumSet.noneOf(FaultKind.class)));
    }

    /** Returns the faults that this machine can have, and reports on standard error if some are left out. */
    private Set<FaultKind> possible(Set<FaultKind> all) {
        Set<FaultKind> possible = EnumSet.copyOf(all);
        if (!PreloadedLibrary.isPossible() && possible.removeAll(FaultKind.ofParts(Part.MACHINE))) {
            Objects.requireNonNull(spec)
                    .commandLine()
                    .getErr()
                    .println("chaos: no faults of the machine: they need Linux and a C compiler, cc");
        }
        return possible;
    }
}
