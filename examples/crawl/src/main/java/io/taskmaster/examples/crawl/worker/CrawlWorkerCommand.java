package io.taskmaster.examples.crawl.worker;

import io.taskmaster.examples.crawl.index.IndexHandler;
import io.taskmaster.examples.crawl.stage.CrawlPipeline;
import io.taskmaster.examples.crawl.stage.CrawlStage;
import io.taskmaster.examples.demo.WorkerOptions;
import io.taskmaster.stage.Rate;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The command of a worker process: one stage, a few threads. */
@Command(name = "worker", hidden = true, description = "One worker process of the demo; started by the demo itself.")
public final class CrawlWorkerCommand implements Callable<Integer> {

    @Mixin
    private WorkerOptions worker = new WorkerOptions();

    @Option(names = "--stage", required = true)
    private CrawlStage stage = CrawlStage.FETCH;

    @Option(names = "--site", required = true, description = "Where the site is served.")
    private URI site = URI.create("");

    @Option(names = "--index", required = true, description = "The folder of the index.")
    private Path index = Path.of("");

    @Option(names = "--rate", required = true, description = "Pages a second.")
    private double rate = 1;

    @Option(names = "--threads")
    private int threads = 2;

    @Override
    public Integer call() throws IOException {
        try (IndexHandler pages = new IndexHandler(index)) {
            return worker.work(_ ->
                    CrawlPipeline.of(site, pages, threads, Rate.perSecond(rate)).only(stage.word()));
        }
    }
}
