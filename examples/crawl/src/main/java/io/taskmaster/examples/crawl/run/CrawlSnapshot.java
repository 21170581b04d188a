package io.taskmaster.examples.crawl.run;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.DeadLetter;
import io.taskmaster.examples.crawl.stage.CrawlQueues;
import io.taskmaster.examples.crawl.stage.CrawlStage;
import io.taskmaster.examples.demo.QueueSizes;
import java.util.EnumMap;
import java.util.Map;

/**
 * The sizes of all queues of the crawl at one moment. When every stage is empty the crawl is done. Immutable.
 *
 * @param waiting tasks per stage, available and leased
 * @param dead dead letters per stage
 * @param seen pages found
 * @param followed pages whose links were followed
 */
record CrawlSnapshot(Map<CrawlStage, Long> waiting, Map<CrawlStage, Long> dead, long seen, long followed) {

    static CrawlSnapshot take(BlockingClient client) {
        return of(QueueSizes.take(client, CrawlQueues.GROUP));
    }

    static CrawlSnapshot of(QueueSizes queues) {
        Map<CrawlStage, Long> waiting = new EnumMap<>(CrawlStage.class);
        Map<CrawlStage, Long> dead = new EnumMap<>(CrawlStage.class);
        for (CrawlStage stage : CrawlStage.values()) {
            waiting.put(
                    stage, queues.tasksIn(name -> CrawlQueues.belongsTo(stage, name) && !DeadLetter.isQueueOf(name)));
            dead.put(stage, queues.tasksIn(name -> CrawlQueues.belongsTo(stage, name) && DeadLetter.isQueueOf(name)));
        }
        return new CrawlSnapshot(
                waiting,
                dead,
                queues.tasksIn(CrawlQueues.key(CrawlQueues.SEEN).name()),
                queues.tasksIn(CrawlQueues.key(CrawlQueues.FOLLOWED).name()));
    }

    boolean isIdle() {
        return waiting.values().stream().allMatch(count -> count == 0);
    }

    long waiting(CrawlStage stage) {
        return waiting.getOrDefault(stage, 0L);
    }

    long dead(CrawlStage stage) {
        return dead.getOrDefault(stage, 0L);
    }

    long deadInAll() {
        return dead.values().stream().mapToLong(Long::longValue).sum();
    }

    /**
     * Returns the progress as a line for people.
     *
     * @param indexed pages in the index
     */
    String line(long indexed) {
        StringBuilder line = new StringBuilder("%d of %d pages indexed;".formatted(indexed, seen));
        for (CrawlStage stage : CrawlStage.values()) {
            line.append(" %s %d".formatted(stage.word(), waiting(stage)));
        }
        return deadInAll() == 0
                ? line.toString()
                : line.append("; dead letters %d".formatted(deadInAll())).toString();
    }

    /**
     * Returns the number of hand-offs since the crawl began, by any process in any run. The number of tasks that a
     * stage has finished follows from those that have arrived behind it.
     *
     * @param indexed pages in the index
     */
    long handOffs(long indexed) {
        long fetched = seen - waiting(CrawlStage.FETCH) - dead(CrawlStage.FETCH);
        long extracted = followed + waiting(CrawlStage.LINKS) + dead(CrawlStage.LINKS);
        return fetched + extracted + followed + indexed;
    }
}
