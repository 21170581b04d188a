package io.taskmaster.examples.crawl.stage;

import io.taskmaster.client.LeasedTask;
import io.taskmaster.examples.crawl.Queues;
import io.taskmaster.examples.crawl.StageName;
import io.taskmaster.examples.crawl.page.PageUrl;
import io.taskmaster.examples.crawl.page.Site;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.QueueKey;
import java.net.URI;
import java.time.Instant;
import java.util.Map;

/** Tasks as a stage gets them. */
final class Tasks {

    static final URI BASE = URI.create("http://guava.test/com/google/common/base/");

    private Tasks() {}

    static PageUrl page(String name) {
        return Site.GUAVA.resolve(BASE, name).orElseThrow();
    }

    static LeasedTask task(StageName stage, PageUrl page, Bytes data) {
        return task(stage, page, data, Map.of(), 1);
    }

    static LeasedTask task(StageName stage, PageUrl page, Bytes data, Map<String, String> headers, int attempt) {
        return new LeasedTask(
                new QueueKey(Queues.GROUP, Queues.of(stage, page)),
                page.pid(),
                data,
                headers,
                7,
                Instant.EPOCH,
                attempt,
                Instant.EPOCH);
    }
}
