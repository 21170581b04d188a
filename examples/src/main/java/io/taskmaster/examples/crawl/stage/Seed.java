package io.taskmaster.examples.crawl.stage;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.Update;
import io.taskmaster.client.UpdateBuilder;
import io.taskmaster.examples.crawl.Queues;
import io.taskmaster.examples.crawl.page.Site;

/** The first page of a crawl, entered as every other. */
public final class Seed {

    private Seed() {}

    /** Begins a crawl; false if it had begun already. Blocks; harmless when done twice. */
    public static boolean plant(BlockingClient client, Site site) {
        UpdateBuilder update = Update.in(Queues.GROUP);
        Discovery.discover(site.root()).forEach(update::enqueue);
        return client.update(update.build()).success();
    }
}
