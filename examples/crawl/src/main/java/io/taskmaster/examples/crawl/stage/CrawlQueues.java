package io.taskmaster.examples.crawl.stage;

import io.taskmaster.examples.crawl.page.PageLinks;
import io.taskmaster.examples.crawl.page.PageText;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.stage.Codec;
import io.taskmaster.stage.TaskQueue;

/**
 * The queues of the crawl. All are in one consistency group, because every hand-off is one update; in all of them the
 * PID is the URL of a page. Those of a stage are a family with one queue for each section of the site, so stages serve
 * the sections round-robin. Dead letters are in {@code NAME.dead}.
 */
public final class CrawlQueues {

    public static final GroupName GROUP = GroupName.of("crawl");

    /** Pages to fetch. */
    public static final TaskQueue<Bytes> FETCH = TaskQueue.family("fetch", Codec.bytes());

    /** Pages to parse. */
    public static final TaskQueue<Bytes> EXTRACT = TaskQueue.family("extract", Codec.bytes());

    /** Links to follow. */
    public static final TaskQueue<PageLinks> LINKS =
            TaskQueue.family("links", Codec.of(PageLinks::encode, PageLinks::decode));

    /** Pages to index. */
    public static final TaskQueue<PageText> INDEX =
            TaskQueue.family("index", Codec.of(PageText::encode, PageText::decode));

    /** Every page that was ever found. The tasks stay, so this is the durable set of pages. */
    public static final TaskQueue<Bytes> SEEN = TaskQueue.of("seen", Codec.bytes());

    /** Every page whose links were followed. The tasks stay and hold the counts. */
    public static final TaskQueue<FollowedPage> FOLLOWED =
            TaskQueue.of("followed", Codec.of(FollowedPage::encode, FollowedPage::decode));

    private CrawlQueues() {}

    /** Returns whether a queue belongs to a stage, whose name is the part before the slash. */
    public static boolean belongsTo(CrawlStage stage, QueueName queue) {
        return queue.toString().startsWith(stage.word() + "/");
    }

    /** Returns the key of a queue that is not a family. */
    public static QueueKey key(TaskQueue<?> queue) {
        return new QueueKey(GROUP, QueueName.of(queue.name()));
    }
}
