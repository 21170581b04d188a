package io.taskmaster.page;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.ListRequest;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.examples.crawl.index.IndexHandler;
import io.taskmaster.examples.crawl.page.Site;
import io.taskmaster.examples.crawl.run.SiteServer;
import io.taskmaster.examples.crawl.stage.CrawlPipeline;
import io.taskmaster.examples.crawl.stage.CrawlQueues;
import io.taskmaster.examples.crawl.stage.CrawlStage;
import io.taskmaster.model.QueueName;
import io.taskmaster.stage.Rate;
import io.taskmaster.stage.worker.Worker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The demo's crawl, run by a worker in this process, which leaves the machine to the browser. It begins again when it
 * is complete, until it is closed, so there is always work to see. Thread-safe.
 */
final class Crawls implements AutoCloseable {

    private static final Duration LOOK = Duration.ofMillis(500);

    private final TaskMasterClient client;
    private final SiteServer site;
    private final IndexHandler index;
    private final Worker worker;
    private final ScheduledExecutorService again = Executors.newSingleThreadScheduledExecutor();

    private Crawls(TaskMasterClient client, Path folder) throws IOException {
        this.client = client;
        site = SiteServer.start(folder.resolve("site.zip"));
        index = new IndexHandler(folder.resolve("index"));
        worker = Worker.start(CrawlPipeline.of(site.address(), index, 1, Rate.perSecond(1e6)), client);
        var _ = again.scheduleWithFixedDelay(this::beginIfIdle, 0, LOOK.toMillis(), TimeUnit.MILLISECONDS);
    }

    static Crawls on(int port, Path folder) throws IOException {
        Files.createDirectories(folder);
        return new Crawls(
                TaskMasterClient.builder("127.0.0.1:" + port).worker("crawler").build(), folder);
    }

    private void beginIfIdle() {
        BlockingClient tasks = client.blocking();
        QueueSelector all = QueueSelector.allIn(CrawlQueues.GROUP);
        boolean isAtWork = tasks.list(ListRequest.of(all)).queues().stream()
                .anyMatch(queue -> isOfAStage(queue.queue().name()));
        if (!isAtWork) {
            var _ = tasks.delete(QueueSelector.matching(CrawlQueues.GROUP, ".*"));
            CrawlPipeline.begin(tasks, Site.GUAVA);
        }
    }

    private static boolean isOfAStage(QueueName queue) {
        return Arrays.stream(CrawlStage.values()).anyMatch(stage -> CrawlQueues.belongsTo(stage, queue));
    }

    @Override
    public void close() throws IOException {
        again.close();
        worker.close();
        index.close();
        site.close();
        client.close();
    }
}
