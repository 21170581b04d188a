package io.taskmaster.examples.crawl.stage;

import static io.taskmaster.examples.crawl.stage.CrawlQueues.EXTRACT;
import static io.taskmaster.examples.crawl.stage.CrawlQueues.FETCH;
import static io.taskmaster.examples.crawl.stage.CrawlQueues.FOLLOWED;
import static io.taskmaster.examples.crawl.stage.CrawlQueues.GROUP;
import static io.taskmaster.examples.crawl.stage.CrawlQueues.INDEX;
import static io.taskmaster.examples.crawl.stage.CrawlQueues.LINKS;
import static io.taskmaster.examples.crawl.stage.CrawlQueues.SEEN;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.Update;
import io.taskmaster.client.Update.IfExists;
import io.taskmaster.client.UpdateBuilder;
import io.taskmaster.examples.crawl.page.ExtractedPage;
import io.taskmaster.examples.crawl.page.PageText;
import io.taskmaster.examples.crawl.page.PageUrl;
import io.taskmaster.examples.crawl.page.Site;
import io.taskmaster.model.Bytes;
import io.taskmaster.stage.BatchHandler;
import io.taskmaster.stage.NewTask;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.stage.Rate;
import io.taskmaster.stage.RetryPolicy;
import io.taskmaster.stage.StageBuilder;
import io.taskmaster.stage.Task;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The pipeline of the crawl (paper section 7): a page is fetched and parsed; its text is indexed, and its links lead to
 * more pages.
 */
public final class CrawlPipeline {

    /**
     * The lease: long enough for a batch on a busy machine, and short so that the tasks of a dead worker are soon
     * available again.
     */
    private static final Duration LEASE = Duration.ofSeconds(10);

    private static final RetryPolicy RETRY =
            RetryPolicy.DEFAULT.maxAttempts(8).delays(Duration.ofMillis(500), Duration.ofSeconds(2));

    private CrawlPipeline() {}

    /**
     * Creates the pipeline.
     *
     * @param address the address that serves the site in this run
     * @param index the handler that indexes batches of pages
     * @param threads the number of handlers of a stage in one worker
     * @param rate the rate at which one worker fetches pages
     */
    public static Pipeline of(URI address, BatchHandler<PageText> index, int threads, Rate rate) {
        FetchHandler fetch = new FetchHandler(HttpClient.newHttpClient(), address);
        LinkHandler links = new LinkHandler(Site.GUAVA);
        return Pipeline.in(GROUP)
                .stage(
                        FETCH,
                        stage -> shaped(stage, threads)
                                .prefetch(14)
                                .handler(fetch)
                                .rate(rate)
                                .to(EXTRACT, LINKS))
                .stage(
                        EXTRACT,
                        stage -> shaped(stage, threads)
                                .prefetch(6)
                                .handler(CrawlPipeline::extract)
                                .to(LINKS, INDEX))
                .stage(
                        LINKS,
                        stage -> shaped(stage, threads)
                                .prefetch(14)
                                .handler(links)
                                .to(FOLLOWED, SEEN, FETCH))
                .stage(INDEX, stage -> shaped(stage, 1).batchHandler(64, index))
                .sinks(SEEN, FOLLOWED)
                .build();
    }

    private static <T> StageBuilder<T> shaped(StageBuilder<T> stage, int threads) {
        return stage.concurrency(threads)
                .lease(LEASE)
                .maxWait(Duration.ofSeconds(1))
                .retry(RETRY);
    }

    /** Parses a page, and hands its links and its text on to a stage each. */
    static Outcome extract(Task<Bytes> task) {
        ExtractedPage parts = ExtractedPage.parse(
                PageUrl.of(task.pid()),
                task.payload().unsafeArray(),
                task.headers().getOrDefault(FetchHandler.CHARSET, ""));
        return Outcome.handOff(
                LINKS.task(task.member(), parts.links()),
                INDEX.task(task.member(), parts.text()).headers(Retries.header(task)));
    }

    /**
     * Returns the tasks of a page that is found. The update is refused as a whole if the page is known, so a page is
     * fetched if and only if it is new.
     */
    static Stream<NewTask<?>> discovery(PageUrl page) {
        return Stream.of(
                SEEN.task(Bytes.EMPTY).at(page.pid()).ifExists(IfExists.FAIL),
                FETCH.task(page.section(), Bytes.EMPTY).at(page.pid()));
    }

    /** Begins a crawl with its first page. Returns false if it has begun already. Blocks. Idempotent. */
    public static boolean begin(BlockingClient client, Site site) {
        UpdateBuilder update = Update.in(GROUP);
        List<NewTask<?>> first = discovery(site.root()).toList();
        first.forEach(task -> update.enqueue(task.enqueue(site.root().pid())));
        return client.update(update.build()).success();
    }
}
