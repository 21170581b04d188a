package io.taskmaster.server.insight;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toSet;

import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Partitions;
import io.taskmaster.model.QueueKey;
import io.taskmaster.proxy.route.ScatterGather;
import io.taskmaster.server.engine.index.ActivityIndex;
import io.taskmaster.server.engine.rank.BusiestQueues;
import io.taskmaster.server.partition.Node;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;

/**
 * The collection of the busiest queues of a node. Partitions walk over their queues on their loops, and the results are
 * merged off the loop. Thread-safe; never blocks.
 */
final class BusiestQueuesQuery {

    private final Node node;
    private final Executor executor;
    private final ActivityIndex.Question question;

    BusiestQueuesQuery(Node node, Executor executor, WatchedQueues watched) {
        this.node = node;
        this.executor = executor;
        this.question = new ActivityIndex.Question(watched.max(), watched.preferred());
    }

    /**
     * Returns the busiest queues of each partition. Fails with a {@link TaskMasterException}.
     *
     * @param named queues to be included however little their activity
     */
    CompletableFuture<BusiestQueues.Found> query(Set<QueueKey> named) {
        Map<Integer, Set<QueueKey>> namedByPartition = named.stream()
                .collect(groupingBy(queue -> Partitions.partitionOf(queue.group(), node.partitions()), toSet()));
        return ScatterGather.of(IntStream.range(0, node.partitions())
                        .mapToObj(partition -> query(partition, namedByPartition.getOrDefault(partition, Set.of())))
                        .toList())
                .thenApplyAsync(BusiestQueues.Found::sum, executor);
    }

    private CompletableFuture<BusiestQueues.Found> query(int partition, Set<QueueKey> named) {
        return node.scan(partition, now -> new BusiestQueues(question, named, now))
                .thenApply(found -> found.orElse(BusiestQueues.Found.EMPTY));
    }
}
