package io.taskmaster.examples.crawl.stage;

import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.Update.Enqueue;
import io.taskmaster.examples.crawl.Queues;
import io.taskmaster.examples.crawl.StageName;
import io.taskmaster.examples.crawl.page.ExtractedPage;
import io.taskmaster.examples.crawl.page.PageUrl;

/** Takes a page apart: its links go one way, its text the other. Thread-safe. */
public final class ExtractStage implements Stage {

    @Override
    public StageName name() {
        return StageName.EXTRACT;
    }

    @Override
    public int batch() {
        return 8;
    }

    @Override
    public Outcome work(LeasedTask task) {
        PageUrl page = PageUrl.of(task.pid());
        ExtractedPage parts = ExtractedPage.parse(
                page, task.data().unsafeArray(), task.headers().getOrDefault(FetchStage.CHARSET, ""));
        return Outcome.Forward.to(
                Enqueue.of(
                        Queues.of(StageName.LINKS, page),
                        task.pid(),
                        parts.links().encode()),
                Enqueue.of(
                                Queues.of(StageName.INDEX, page),
                                task.pid(),
                                parts.text().encode())
                        .headers(Retries.header(task)));
    }
}
