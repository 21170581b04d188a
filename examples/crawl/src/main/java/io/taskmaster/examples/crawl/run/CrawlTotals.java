package io.taskmaster.examples.crawl.run;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.PeekResult.PeekedTask;
import io.taskmaster.examples.crawl.index.IndexView;
import io.taskmaster.examples.crawl.stage.CrawlQueues;
import io.taskmaster.examples.crawl.stage.FollowedPage;
import io.taskmaster.examples.demo.QueueTasks;
import java.io.IOException;

/**
 * The results of the crawl so far, in all runs. They are counted from durable data (the index, and the queues whose
 * tasks stay), so they are exact whatever was killed meanwhile. Immutable.
 *
 * @param indexed pages in the index
 * @param links links found in pages
 * @param collapsed links to pages that were known already
 * @param handOffs tasks that one stage dequeued while it enqueued tasks for the next
 * @param retries leases of tasks beyond their first
 * @param dead dead letters
 */
record CrawlTotals(long indexed, long links, long collapsed, long handOffs, long retries, long dead) {

    static CrawlTotals gather(BlockingClient client, IndexView index) throws IOException {
        CrawlSnapshot sizes = CrawlSnapshot.take(client);
        long links = 0;
        long collapsed = 0;
        long retries = index.retries();
        for (PeekedTask task : QueueTasks.of(client, CrawlQueues.key(CrawlQueues.FOLLOWED))) {
            FollowedPage page = CrawlQueues.FOLLOWED.codec().decode(task.data());
            links += page.links();
            collapsed += page.collapsed();
            retries += page.retries();
        }
        return new CrawlTotals(
                index.pages(), links, collapsed, sizes.handOffs(index.pages()), retries, sizes.deadInAll());
    }

    /**
     * Returns the line that scripts read.
     *
     * @param tasksPerSecond the rate of the last run
     */
    String line(long tasksPerSecond) {
        return "%d pages indexed, %d links seen, %d collapsed, %d hand-offs, %d tasks/s, %d retries"
                .formatted(indexed, links, collapsed, handOffs, tasksPerSecond, retries);
    }
}
