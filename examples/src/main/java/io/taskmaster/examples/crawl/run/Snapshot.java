package io.taskmaster.examples.crawl.run;

import io.taskmaster.client.BlockingClient;
import io.taskmaster.client.DeadLetter;
import io.taskmaster.client.ListRequest;
import io.taskmaster.client.ListResult;
import io.taskmaster.client.QueueSelector;
import io.taskmaster.client.QueueSummary;
import io.taskmaster.examples.crawl.Queues;
import io.taskmaster.examples.crawl.StageName;
import io.taskmaster.model.QueueName;
import io.taskmaster.stage.TaskQueue;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The sizes of all queues of the crawl at one moment. One reply lists them all and a hand-off is one update, so no page is ever
 * between two queues: when every stage is empty the crawl is done. Immutable.
 *
 * @param waiting tasks per stage, available and leased
 * @param dead tasks per stage that were given up
 * @param seen pages found
 * @param followed pages whose links were followed
 */
record Snapshot(Map<StageName, Long> waiting, Map<StageName, Long> dead, long seen, long followed) {

    private static final int MAX_QUEUES = 10_000;

    static Snapshot take(BlockingClient client) {
        List<QueueSummary> queues = new ArrayList<>();
        Optional<ListResult> page = Optional.of(client.list(request()));
        while (page.isPresent()) {
            queues.addAll(page.get().queues());
            page = page.get().nextPageToken().map(next -> client.list(request().pageToken(next)));
        }
        return of(queues);
    }

    private static ListRequest request() {
        return ListRequest.of(QueueSelector.allIn(Queues.GROUP)).maxQueues(MAX_QUEUES);
    }

    static Snapshot of(List<QueueSummary> queues) {
        Map<StageName, Long> waiting = new EnumMap<>(StageName.class);
        Map<StageName, Long> dead = new EnumMap<>(StageName.class);
        for (StageName stage : StageName.values()) {
            waiting.put(stage, sum(queues, name -> Queues.belongsTo(stage, name) && !DeadLetter.isQueueOf(name)));
            dead.put(stage, sum(queues, name -> Queues.belongsTo(stage, name) && DeadLetter.isQueueOf(name)));
        }
        return new Snapshot(
                waiting,
                dead,
                sum(queues, name -> isOf(Queues.SEEN, name)),
                sum(queues, name -> isOf(Queues.FOLLOWED, name)));
    }

    private static boolean isOf(TaskQueue<?> queue, QueueName name) {
        return Queues.key(queue).name().equals(name);
    }

    private static long sum(List<QueueSummary> queues, Predicate<QueueName> which) {
        return queues.stream()
                .filter(queue -> which.test(queue.queue().name()))
                .mapToLong(QueueSummary::total)
                .sum();
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
     * How many tasks have been handed on since the crawl began, by any process in any run: what each stage has let go follows from
     * what has arrived behind it.
     *
     * @param indexed pages in the index
     */
    long handOffs(long indexed) {
        long fetched = seen - waiting(StageName.FETCH) - dead(StageName.FETCH);
        long extracted = followed + waiting(StageName.LINKS) + dead(StageName.LINKS);
        return fetched + extracted + followed + indexed;
    }
}
