package io.taskmaster.examples.crawl;

import io.taskmaster.examples.crawl.page.PageLinks;
import io.taskmaster.examples.crawl.page.PageText;
import io.taskmaster.examples.crawl.stage.FollowedPage;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.stage.Codec;
import io.taskmaster.stage.TaskQueue;

/**
 * The queues of the crawl. All live in one consistency group, because every hand-off is one update; in all of them the PID is the URL of a
 * page. Those of a stage are a family, one for each section of the site, so that stages take turns between sections. What is given up is
 * in {@code NAME.dead}.
 */
public final class Queues {

    public static final GroupName GROUP = GroupName.of("crawl");

    /** Pages to get. */
    public static final TaskQueue<Bytes> FETCH = TaskQueue.family("fetch", Codec.bytes());

    /** Pages to take apart. */
    public static final TaskQueue<Bytes> EXTRACT = TaskQueue.family("extract", Codec.bytes());

    /** Links to follow. */
    public static final TaskQueue<PageLinks> LINKS =
            TaskQueue.family("links", Codec.of(PageLinks::encode, PageLinks::decode));

    /** Pages to index. */
    public static final TaskQueue<PageText> INDEX =
            TaskQueue.family("index", Codec.of(PageText::encode, PageText::decode));

    /** Every page ever found: its tasks stay, so it is the durable set. */
    public static final TaskQueue<Bytes> SEEN = TaskQueue.of("seen", Codec.bytes());

    /** Every page whose links were followed: its tasks stay and hold the counts. */
    public static final TaskQueue<FollowedPage> FOLLOWED =
            TaskQueue.of("followed", Codec.of(FollowedPage::encode, FollowedPage::decode));

    private Queues() {}

    /** The stage that a queue belongs to is the word before its slash. */
    public static boolean belongsTo(StageName stage, QueueName queue) {
        return queue.toString().startsWith(stage.word() + "/");
    }

    /** A queue that is no family. */
    public static QueueKey key(TaskQueue<?> queue) {
        return new QueueKey(GROUP, QueueName.of(queue.name()));
    }
}
