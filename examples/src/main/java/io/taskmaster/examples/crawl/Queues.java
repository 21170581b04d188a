package io.taskmaster.examples.crawl;

import io.taskmaster.examples.crawl.page.PageUrl;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueName;

/**
 * The queues of the crawl. All live in one consistency group, because every hand-off is one update.
 *
 * <pre>
 * fetch/SECTION     pages to get            extract/SECTION   pages to take apart
 * links/SECTION     links to follow         index/SECTION     pages to index
 * seen              every page ever found: its tasks stay, so it is the durable set
 * followed          every page whose links were followed: its tasks stay and hold the counts
 * NAME.dead         tasks of queue NAME that were given up
 * </pre>
 *
 * Sections hold no dot, so that a pattern tells the queues of a stage from their dead letters.
 */
public final class Queues {

    public static final GroupName GROUP = GroupName.of("crawl");
    public static final QueueName SEEN = QueueName.of("seen");
    public static final QueueName FOLLOWED = QueueName.of("followed");

    private static final String DEAD = ".dead";

    private Queues() {}

    /** The queue in which a page waits for a stage. */
    public static QueueName of(StageName stage, PageUrl page) {
        return QueueName.of(stage.word() + "/" + page.section());
    }

    /** The pattern of all queues of a stage, without their dead letters. */
    public static String pattern(StageName stage) {
        return stage.word() + "/[^.]*";
    }

    /** The stage that a queue belongs to is the word before its slash. */
    public static boolean belongsTo(StageName stage, QueueName queue) {
        return queue.toString().startsWith(stage.word() + "/");
    }

    /** Where the tasks of a queue go that are given up. */
    public static QueueName dead(QueueName queue) {
        return QueueName.of(queue + DEAD);
    }

    public static boolean isDead(QueueName queue) {
        return queue.toString().endsWith(DEAD);
    }
}
