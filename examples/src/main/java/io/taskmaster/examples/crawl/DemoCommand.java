package io.taskmaster.examples.crawl;

import io.taskmaster.error.TaskMasterException;
import io.taskmaster.examples.crawl.index.IndexView;
import io.taskmaster.examples.crawl.run.CrawlRun;
import io.taskmaster.examples.crawl.run.DemoException;
import io.taskmaster.examples.crawl.run.DemoFolder;
import io.taskmaster.examples.crawl.run.DemoStore;
import io.taskmaster.examples.crawl.run.Plan;
import io.taskmaster.examples.crawl.worker.ServerCommand;
import io.taskmaster.examples.crawl.worker.WorkerCommand;
import java.io.Console;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code taskmaster demo}. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description = {
            "Crawls and indexes the Javadoc of Guava: fetch, extract, links and index, each a pool of processes.",
            "Kill anything at any time; the same command goes on where it was. See docs/demo.md."
        },
        subcommands = {WorkerCommand.class, ServerCommand.class})
public final class DemoCommand implements Callable<Integer> {

    @Option(names = "--dir", paramLabel = "FOLDER", description = "Where the demo keeps its data (default: ./demo).")
    private Path folder = Path.of("demo");

    @Option(
            names = "--server",
            paramLabel = "HOST:PORT",
            description = "A server to use; by default the demo starts its own.")
    private @Nullable String server;

    @Option(
            names = "--store",
            paramLabel = "STORE",
            description = "Where its own server keeps its data: rocksdb, or hbase (default: ${DEFAULT-VALUE}).")
    private StoreName store = StoreName.ROCKSDB;

    @Option(
            names = "--zookeeper",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:2181",
            description =
                    "With --store hbase, where that is (default: ${DEFAULT-VALUE}, as of `taskmaster hbase start`).")
    private String zookeeper = "127.0.0.1:2181";

    @Option(names = "--fresh", description = "Forget what earlier runs did.")
    private boolean fresh;

    @Option(
            names = "--workers",
            paramLabel = "STAGE=N",
            split = ",",
            description = "How many processes a stage gets (default: fetch=1,extract=2,links=1; index is always 1).")
    private Map<StageName, Integer> workers = new EnumMap<>(StageName.class);

    @Option(names = "--query", paramLabel = "WORDS", description = "Search the index instead of crawling.")
    private @Nullable String query;

    @Option(names = "--hits", paramLabel = "N", description = "How many matches to show (default: ${DEFAULT-VALUE}).")
    private int hits = 10;

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        QuietLucene.hush();
        PrintWriter out = command().commandLine().getOut();
        DemoFolder where = new DemoFolder(folder);
        return query == null ? crawl(where, out) : search(where, query, out);
    }

    private int crawl(DemoFolder where, PrintWriter out) throws IOException, InterruptedException {
        CrawlRun run = new CrawlRun(
                new Plan(where, Optional.ofNullable(server), store(where), fresh, pools()), out, onTerminal());
        Thread ending = new Thread(run::stop, "stop");
        Runtime.getRuntime().addShutdownHook(ending);
        try {
            run.run();
            return 0;
        } catch (DemoException | TaskMasterException e) {
            if (!run.isStopped()) {
                command().commandLine().getErr().println("demo: " + e.getMessage());
            }
            return 1;
        }
    }

    private DemoStore store(DemoFolder where) {
        return switch (store) {
            case ROCKSDB -> new DemoStore.Embedded(where.data());
            case HBASE -> new DemoStore.HBase(zookeeper);
        };
    }

    private int search(DemoFolder where, String words, PrintWriter out) throws IOException {
        if (hits < 1) {
            throw new ParameterException(command().commandLine(), "--hits: %d (expected: 1 or more)".formatted(hits));
        }
        try (IndexView index = IndexView.open(where.index())) {
            if (index.pages() == 0) {
                command().commandLine().getErr().println("demo: no index in " + where.root() + "; run the demo first");
                return 1;
            }
            new AnswerPrinter(out).print(index.search(words, hits));
            return 0;
        }
    }

    private Map<StageName, Integer> pools() {
        Map<StageName, Integer> pools =
                new EnumMap<>(Map.of(StageName.FETCH, 1, StageName.EXTRACT, 2, StageName.LINKS, 1, StageName.INDEX, 1));
        pools.putAll(workers);
        pools.forEach((stage, count) -> {
            // A Lucene index has one writer.
            if (count < 1 || (stage == StageName.INDEX && count > 1)) {
                throw new ParameterException(
                        command().commandLine(),
                        "--workers %s: %d (expected: %s)"
                                .formatted(stage.word(), count, stage == StageName.INDEX ? "1" : "1 or more"));
            }
        });
        return pools;
    }

    private static boolean onTerminal() {
        return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    }

    private CommandSpec command() {
        if (spec == null) {
            throw new IllegalStateException("spec: null (expected: set by picocli)");
        }
        return spec;
    }
}
