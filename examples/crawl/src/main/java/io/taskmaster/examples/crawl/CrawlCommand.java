package io.taskmaster.examples.crawl;

import io.taskmaster.examples.crawl.index.IndexView;
import io.taskmaster.examples.crawl.run.CrawlDemo;
import io.taskmaster.examples.crawl.stage.CrawlStage;
import io.taskmaster.examples.crawl.worker.CrawlWorkerCommand;
import io.taskmaster.examples.demo.DemoOptions;
import io.taskmaster.examples.demo.DemoPace;
import io.taskmaster.examples.demo.process.DemoFolder;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The command {@code taskmaster demo}. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description = {
            "Crawls and indexes the Javadoc of Guava through queues, in a minute.",
            "The stages fetch, extract, links and index are pools of processes. Any process may be killed at any time;"
                    + " the same command continues an interrupted crawl. See docs/demo.md."
        },
        footerHeading = "%nExamples:%n",
        footer = {"  taskmaster demo", "  taskmaster demo --pace 0 --keep", "  taskmaster demo --query 'immutable list'"
        },
        subcommands = CrawlWorkerCommand.class)
final class CrawlCommand implements Callable<Integer> {

    @Mixin
    private DemoOptions demo;

    @Option(
            names = "--workers",
            paramLabel = "STAGE=N",
            split = ",",
            description = "Number of processes of a stage (default: fetch=1,extract=2,links=1; index is always 1).")
    private Map<CrawlStage, Integer> workers = new EnumMap<>(CrawlStage.class);

    @Option(
            names = "--query",
            paramLabel = "WORDS",
            description = "Search the index for these words instead of crawling.")
    private @Nullable String query;

    @Option(names = "--hits", paramLabel = "N", description = "Maximum number of matches (default: ${DEFAULT-VALUE}).")
    private int hits = 10;

    @Option(
            names = "--pace",
            paramLabel = "N",
            description = "Maximum number of pages fetched per second, 0.001 or more; 0: no limit (default: 15).")
    private double pace = 15;

    CrawlCommand(Class<?> program) {
        demo = new DemoOptions("demo", program);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        QuietLucene.hush();
        DemoFolder where = demo.folder();
        Map<CrawlStage, Integer> pools = pools();
        DemoPace limit = demo.pace(pace);
        return query == null ? demo.run(() -> CrawlDemo.open(where, pools, limit)) : search(where, query);
    }

    private int search(DemoFolder where, String words) throws IOException {
        if (hits < 1) {
            throw refusal("--hits: %d (expected: 1 or more)".formatted(hits));
        }
        try (IndexView index = IndexView.open(CrawlDemo.index(where))) {
            if (index.pages() == 0) {
                demo.err().println("demo: no index in " + where.root() + "; run the demo first");
                return 1;
            }
            new SearchResultPrinter(demo.out()).print(index.search(words, hits));
            return 0;
        }
    }

    private Map<CrawlStage, Integer> pools() {
        Map<CrawlStage, Integer> pools = new EnumMap<>(
                Map.of(CrawlStage.FETCH, 1, CrawlStage.EXTRACT, 2, CrawlStage.LINKS, 1, CrawlStage.INDEX, 1));
        pools.putAll(workers);
        pools.forEach((stage, count) -> {
            // A Lucene index has one writer.
            if (count < 1 || (stage == CrawlStage.INDEX && count > 1)) {
                throw refusal("--workers %s: %d (expected: %s)"
                        .formatted(stage.word(), count, stage == CrawlStage.INDEX ? "1" : "1 or more"));
            }
        });
        return pools;
    }

    private ParameterException refusal(String message) {
        return new ParameterException(demo.command().commandLine(), message);
    }
}
