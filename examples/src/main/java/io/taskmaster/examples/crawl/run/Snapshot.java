package io.taskmaster.examples.crawl.run;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.DeadLetter;
import io.taskmaster.examples.crawl.Queues;
import io.taskmaster.examples.crawl.StageName;
import io.taskmaster.examples.demo.Listing;
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
record Snapshot(Map<StageName, Long> waiting, Map<StageName, Long> dead, long seen, long followed) {

    static Snapshot take(BlockingClient client) {
        return of(Listing.take(client, Queues.GROUP));
    }

    static Snapshot of(Listing queues) {
        Map<StageName, Long> waiting = new EnumMap<>(StageName.class);
        Map<StageName, Long> dead = new EnumMap<>(StageName.class);
        for (StageName stage : StageName.values()) {
            waiting.put(stage, queues.tasksIn(name -> Queues.belongsTo(stage, name) && !DeadLetter.isQueueOf(name)));
            dead.put(stage, queues.tasksIn(name -> Queues.belongsTo(stage, name) && DeadLetter.isQueueOf(name)));
        }
        return new Snapshot(
                waiting,
                dead,
                queues.tasksIn(Queues.key(Queues.SEEN).name()),
                queues.tasksIn(Queues.key(Queues.FOLLOWED).name()));
    }

    boolean isIdle() {
        return waiting.values().stream().allMatch(count -> count == 0);
    }

    long waiting(StageName stage) {
        return waiting.getOrDefault(stage, 0L);
    }

    long dead(StageName stage) {
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
        for (StageName stage : StageName.values()) {
            line.append(" %s %d".formatted(stage.word(), waiting(stage)));
        }
        return deadInAll() == 0
                ? line.toString()
                : line.append("; given up %d".formatted(deadInAll())).toString();
    }

    /**
     * Returns the number of hand-offs since the crawl began, by any process in any run. The number of tasks that a
     * stage has finished follows from those that have arrived behind it.
     *
     * @param indexed pages in the index
     */
    long handOffs(long indexed) {
        long fetched = seen - waiting(StageName.FETCH) - dead(StageName.FETCH);
        long extracted = followed + waiting(StageName.LINKS) + dead(StageName.LINKS);
        return fetched + extracted + followed + indexed;
    }
}
