package io.taskmaster.bench;

import com.google.common.net.HostAndPort;
import io.taskmaster.bench.load.Timing;
import io.taskmaster.bench.report.Comparison;
import io.taskmaster.bench.report.JsonLine;
import io.taskmaster.bench.report.ReportTable;
import io.taskmaster.bench.report.Row;
import io.taskmaster.bench.report.Subject;
import io.taskmaster.bench.report.TableStyle;
import io.taskmaster.bench.seda.SedaCommand;
import io.taskmaster.bench.store.Backing;
import io.taskmaster.bench.store.HBaseBacking;
import io.taskmaster.bench.store.LocalBacking;
import io.taskmaster.bench.workload.Load;
import io.taskmaster.bench.workload.Scene;
import io.taskmaster.bench.workload.Workload;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The command {@code bench}, which measures a server. Its exit status is 1 if an operation or a check failed, so that
 * scripts notice.
 */
@Command(
        name = "bench",
        subcommands = SedaCommand.class,
        mixinStandardHelpOptions = true,
        description = {
            "Measures throughput and latency of a server, and the limits of the stack below it.",
            "Without --server, it starts a server on a new folder and deletes both afterwards. Without a workload, it"
                    + " runs all of them."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  taskmaster bench",
            "  taskmaster bench enqueue lease --seconds 20 --markdown",
            "  taskmaster bench --server example.org:7400 --clients 8"
        })
final class BenchCommand implements Callable<Integer> {

    private static final int DEFAULT_PORT = 7400;
    private static final int DEFAULT_BATCH = 50;
    private static final int MAX_BACKLOG = 2_000_000;

    /**
     * The bound, in tasks per second, on the rate for which a lease row on HBase is filled. Leases of many tasks may be
     * faster, and the row then ends early and says so; to enqueue more beforehand would take far longer than the row
     * itself.
     */
    private static final int MAX_RATE_ON_HBASE = 60_000;

    @Spec
    private @Nullable CommandSpec spec;

    @Parameters(paramLabel = "WORKLOAD", description = "Workload (default: all): ${COMPLETION-CANDIDATES}.")
    private List<Plan> plans = new ArrayList<>();

    @Option(
            names = "--server",
            paramLabel = "HOST[:PORT]",
            description = "Server to measure (default: one of its own).")
    private @Nullable String server;

    @Option(
            names = "--store",
            defaultValue = "rocksdb",
            paramLabel = "STORE",
            description = "Store of its own server: rocksdb, hbase or memory (default: ${DEFAULT-VALUE}).")
    private String store = "rocksdb";

    @Mixin
    private HBaseOptions hbase = new HBaseOptions();

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Folder, on the disk to be measured, in which the data folder is made (default: the system's"
                    + " temporary folder).")
    private Path data = Path.of(System.getProperty("java.io.tmpdir"));

    @Option(
            names = "--groups",
            defaultValue = "1",
            paramLabel = "N",
            description = "Number of consistency groups (default: ${DEFAULT-VALUE}).")
    private int groups = 1;

    @Option(
            names = "--queues",
            defaultValue = "1",
            paramLabel = "N",
            description = "Number of queues per group (default: ${DEFAULT-VALUE}).")
    private int queues = 1;

    @Option(
            names = "--clients",
            defaultValue = "4",
            paramLabel = "N",
            description = "Number of connections (default: ${DEFAULT-VALUE}).")
    private int clients = 4;

    @Option(
            names = "--outstanding",
            paramLabel = "N",
            description = "Requests in flight on all connections (default: 500 of one task, 100 of more).")
    private @Nullable Integer outstanding;

    @Option(
            names = "--batch",
            paramLabel = "K",
            description = "Tasks per request (default: a row with 1 and a row with 50).")
    private @Nullable Integer batch;

    @Option(
            names = "--bytes",
            defaultValue = "1024",
            paramLabel = "N",
            description = "Size of the data of a task, in bytes (default: ${DEFAULT-VALUE}).")
    private int bytes = 1024;

    @Option(
            names = "--seconds",
            defaultValue = "5",
            paramLabel = "S",
            description = "Measured time per row, in seconds (default: ${DEFAULT-VALUE}).")
    private double seconds = 5;

    @Option(
            names = "--warmup",
            defaultValue = "10",
            paramLabel = "S",
            description = "Warm-up time per row, in seconds (default: ${DEFAULT-VALUE}).")
    private double warmup = 10;

    @Option(names = "--json", description = "Print one JSON object per row, a line each.")
    private boolean json;

    @Option(names = "--markdown", description = "Print the table as Markdown.")
    private boolean markdown;

    private final List<Row> rows = new ArrayList<>();

    @Override
    public Integer call() throws InterruptedException {
        CommandSpec command = Objects.requireNonNull(spec);
        PrintWriter out = command.commandLine().getOut();
        PrintWriter err = command.commandLine().getErr();
        String run = Long.toString(ThreadLocalRandom.current().nextLong() >>> 16, Character.MAX_RADIX);
        Consumer<String> progress = line -> progress(err, line);
        Bench bench = new Bench(
                new Scene(load(command), run),
                remote(command),
                store,
                opener(command, run, progress),
                data,
                progress,
                (subject, row) -> done(out, subject, row));
        try {
            bench.run(workloads(command));
        } finally {
            // Rows are printed even if a later workload fails: measuring them took time.
            if (!json && !rows.isEmpty()) {
                TableStyle style = markdown ? TableStyle.MARKDOWN : TableStyle.ALIGNED;
                out.print(new ReportTable(bench.subject(), rows).render(style));
                out.flush();
            }
        }
        return rows.stream().allMatch(row -> row.measurement().errorCount() == 0) ? 0 : 1;
    }

    private void done(PrintWriter out, Subject subject, Row row) {
        rows.add(row);
        if (json) {
            out.println(JsonLine.of(subject, row, new Comparison(rows)));
            out.flush();
        }
    }

    private static void progress(PrintWriter err, String line) {
        err.println("bench: " + line);
        err.flush();
    }

    private boolean isOnHBase() {
        return store.equals(HBaseBacking.STORE);
    }

    private Backing.Opener opener(CommandSpec command, String run, Consumer<String> progress) {
        try {
            if (isOnHBase()) {
                return hbase.opener(run, progress);
            }
            hbase.requireNone();
            return _ -> new LocalBacking(store);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }

    private Load load(CommandSpec command) {
        try {
            return new Load(
                    clients,
                    outstanding == null ? OptionalInt.empty() : OptionalInt.of(outstanding),
                    bytes,
                    groups,
                    queues,
                    MAX_BACKLOG,
                    isOnHBase() ? MAX_RATE_ON_HBASE : Integer.MAX_VALUE,
                    new Timing(duration(warmup), duration(seconds)));
        } catch (IllegalArgumentException e) {
            throw new ParameterException(command.commandLine(), e.getMessage(), e);
        }
    }

    private static Duration duration(double seconds) {
        return Duration.ofMillis(Math.round(seconds * 1000));
    }

    private Optional<InetSocketAddress> remote(CommandSpec command) {
        if (server == null) {
            return Optional.empty();
        }
        try {
            HostAndPort parsed = HostAndPort.fromString(server).withDefaultPort(DEFAULT_PORT);
            InetSocketAddress address = new InetSocketAddress(parsed.getHost(), parsed.getPort());
            if (address.isUnresolved()) {
                throw new IllegalArgumentException("unknown host");
            }
            return Optional.of(address);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(
                    command.commandLine(), "--server: " + server + " (expected: HOST or HOST:PORT of a known host)", e);
        }
    }

    /**
     * Returns the workloads to run. {@code --batch} replaces the batch of 50. Named workloads run with that batch
     * alone; without names, rows of one task stay as well.
     */
    private List<Workload> workloads(CommandSpec command) {
        if (batch != null && batch < 1) {
            throw new ParameterException(command.commandLine(), "--batch: " + batch + " (expected: at least 1)");
        }
        List<Integer> batches = batch == null ? List.of(1, DEFAULT_BATCH) : List.of(batch);
        if (!plans.isEmpty()) {
            return Plan.rows(plans, batches);
        }
        return Plan.rows(List.of(Plan.values()), batch == null || batch == 1 ? batches : List.of(1, batch));
    }
}
