package io.taskmaster.examples.crawl.worker;

import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.examples.crawl.StageName;
import io.taskmaster.examples.crawl.index.IndexHandler;
import io.taskmaster.examples.crawl.stage.CrawlPipeline;
import io.taskmaster.stage.worker.Worker;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A worker process: one stage, a few threads. */
@Command(name = "worker", hidden = true, description = "One worker process of the demo; started by the demo itself.")
public final class WorkerCommand implements Callable<Integer> {

    private static final Duration DEADLINE = Duration.ofSeconds(5);
    private static final Duration LAST_BATCH = Duration.ofSeconds(3);

    @Option(names = "--stage", required = true)
    private StageName stage = StageName.FETCH;

    @Option(names = "--name", required = true)
    private String name = "";

    @Option(names = "--server", required = true)
    private String server = "";

    @Option(names = "--site", required = true, description = "Where the site is served.")
    private URI site = URI.create("");

    @Option(names = "--index", required = true, description = "The folder of the index.")
    private Path index = Path.of("");

    @Option(names = "--threads")
    private int threads = 2;

    @Override
    public Integer call() throws IOException {
        Parent.outlivesUs();
        try (TaskMasterClient client = TaskMasterClient.builder(server)
                        .deadline(DEADLINE)
                        .worker(name)
                        .build();
                IndexHandler pages = new IndexHandler(index);
                Worker worker =
                        Worker.start(CrawlPipeline.of(site, pages, threads).only(stage.word()), client)) {
            worker.untilShutdown(LAST_BATCH);
        }
        return 0;
    }
}
