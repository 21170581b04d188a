package io.taskmaster.examples.crawl.stage;

import io.taskmaster.client.LeasedTask;
import io.taskmaster.examples.crawl.page.PageUrl;
import io.taskmaster.examples.crawl.page.Site;
import io.taskmaster.model.QueueKey;
import io.taskmaster.stage.Task;
import io.taskmaster.stage.TaskQueue;
import java.net.URI;
import java.time.Instant;
import java.util.Map;

/** A factory of tasks as a handler gets them. */
final class Tasks {

    static final URI BASE = URI.create("http://guava.test/com/google/common/base/");

    private Tasks() {}

    static PageUrl page(String name) {
        return Site.GUAVA.resolve(BASE, name).orElseThrow();
    }

    static <T> Task<T> task(TaskQueue<T> queue, PageUrl page, T payload) {
        return task(queue, page, payload, Map.of(), 1);
    }

    static <T> Task<T> task(TaskQueue<T> queue, PageUrl page, T payload, Map<String, String> headers, int attempt) {
        LeasedTask lease = new LeasedTask(
                new QueueKey(
                        CrawlQueues.GROUP, queue.task(page.section(), payload).name()),
                page.pid(),
                queue.codec().encode(payload),
                headers,
                7,
                Instant.EPOCH,
                attempt,
                Instant.EPOCH);
        return new Task<>() {
            @Override
            public T payload() {
                return payload;
            }

            @Override
            public LeasedTask lease() {
                return lease;
            }

            @Override
            public String member() {
                return page.section();
            }

            @Override
            public boolean isCancelled() {
                return false;
            }
        };
    }
}
