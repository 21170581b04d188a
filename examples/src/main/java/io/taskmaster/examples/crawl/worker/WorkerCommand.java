package io.taskmaster.examples.crawl.worker;

import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.examples.crawl.StageName;
import io.taskmaster.examples.crawl.index.IndexStage;
import io.taskmaster.examples.crawl.index.PageIndex;
import io.taskmaster.examples.crawl.page.Site;
import io.taskmaster.examples.crawl.stage.ExtractStage;
import io.taskmaster.examples.crawl.stage.FetchStage;
import io.taskmaster.examples.crawl.stage.LinkStage;
import io.taskmaster.examples.crawl.stage.Stage;
import io.taskmaster.examples.crawl.stage.StageRunner;
import io.taskmaster.examples.crawl.stage.TaskSource;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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

    private final CountDownLatch stopping = new CountDownLatch(1);

    @Override
    public Integer call() throws IOException, InterruptedException {
        Parent.outlivesUs();
        TaskMasterClient client =
                TaskMasterClient.builder(server).deadline(DEADLINE).worker(name).build();
        return switch (stage) {
            case FETCH -> run(client, new FetchStage(HttpClient.newHttpClient(), site));
            case EXTRACT -> run(client, new ExtractStage());
            case LINKS -> run(client, new LinkStage(Site.GUAVA));
            case INDEX -> {
                try (PageIndex pages = PageIndex.open(index)) {
                    yield run(client, new IndexStage(pages));
                }
            }
        };
    }

    private int run(TaskMasterClient client, Stage work) throws InterruptedException {
        CountDownLatch running = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            StageRunner runner = new StageRunner(work, TaskSource.of(client.blocking()), name);
            Thread.ofPlatform().name(name + "." + i).start(() -> runUntilStopped(runner, running));
        }
        Runtime.getRuntime().addShutdownHook(new Thread(() -> finishBatches(running)));
        running.await();
        return 0;
    }

    private void runUntilStopped(StageRunner runner, CountDownLatch running) {
        try {
            runner.run(() -> stopping.getCount() == 0);
            running.countDown();
        } catch (IOException | RuntimeException | InterruptedException broken) {
            // Whatever it is, a fresh process is the cure; the supervisor starts one.
            broken.printStackTrace();
            Runtime.getRuntime().halt(1);
        }
    }

    private void finishBatches(CountDownLatch running) {
        stopping.countDown();
        try {
            running.await(LAST_BATCH.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
