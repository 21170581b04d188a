package io.taskmaster.proxy.route;

import io.taskmaster.command.Command;
import io.taskmaster.command.Ranking;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The way to the partitions behind a port, wherever they are. In a node they are next door, and a command is handed to
 * the loop of its partition by a direct call. Thread-safe; never blocks.
 */
public interface Router {

    /** The number of partitions. */
    int partitions();

    /** Submits a command to the partition of its group. The sink is called exactly once. */
    void submit(GroupName group, Command command, ReplySink sink);

    /** Submits a command to one partition, for commands that go to all of them. */
    void submit(int partition, Command command, ReplySink sink);

    /**
     * Returns a page of a partition's queues in some order; empty while the partition does not serve. The page may
     * include changes that are not durable yet. Cancelling the future ends the search.
     */
    CompletableFuture<Optional<Ranking.Page>> rank(int partition, Ranking.Question question);

    /**
     * Returns the number of these queues of one group that were deleted and still have rows to be cleared away. Fails
     * while their partition does not serve.
     */
    CompletableFuture<Integer> uncleared(GroupName group, Collection<QueueKey> queues);
}
