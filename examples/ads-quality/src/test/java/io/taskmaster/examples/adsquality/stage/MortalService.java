package io.taskmaster.examples.adsquality.stage;

import io.taskmaster.client.BatchOperation;
import io.taskmaster.client.BatchResult;
import io.taskmaster.client.LeaseKeeper;
import io.taskmaster.client.LeaseRequest;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Timer;
import io.taskmaster.stage.worker.task.TaskService;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * The connection of a worker that dies at one of its commits: before it is sent, or before its reply arrives. A dead
 * worker neither sends nor receives anything. Thread-safe.
 */
final class MortalService implements TaskService {

    private final TaskMasterClient client;
    private final int lastCommit;
    private final boolean sendsIt;
    private final AtomicInteger commits = new AtomicInteger();
    private final CompletableFuture<Void> death = new CompletableFuture<>();

    /**
     * Creates the connection.
     *
     * @param lastCommit the number of the commit at which the worker dies, from 1
     * @param sendsIt whether that commit is sent nevertheless
     */
    MortalService(TaskMasterClient client, int lastCommit, boolean sendsIt) {
        this.client = client;
        this.lastCommit = lastCommit;
        this.sendsIt = sendsIt;
    }

    boolean isDead() {
        return death.isDone();
    }

    @Override
    public CompletableFuture<List<LeasedTask>> lease(LeaseRequest request) {
        return whileAlive(() -> client.lease(request));
    }

    @Override
    public CompletableFuture<List<BatchResult>> batch(List<BatchOperation> operations) {
        if (commits.incrementAndGet() < lastCommit) {
            return whileAlive(() -> client.batch(operations));
        }
        if (sendsIt && !isDead()) {
            CompletableFuture<?> _ = client.batch(operations).whenComplete((_, _) -> death.complete(null));
        } else {
            death.complete(null);
        }
        return new CompletableFuture<>();
    }

    @Override
    public LeaseKeeper keepLeases(Duration length) {
        return new LeaseKeeper((renewals, _) -> whileAlive(() -> client.update(renewals)), Timer.SYSTEM, length);
    }

    private <R> CompletableFuture<R> whileAlive(Supplier<CompletableFuture<R>> call) {
        CompletableFuture<R> heard = new CompletableFuture<>();
        if (!isDead()) {
            CompletableFuture<R> answer = call.get();
            CompletableFuture<?> _ = answer.whenComplete((result, error) -> {
                if (isDead()) {
                    return;
                }
                if (error == null) {
                    heard.complete(result);
                } else {
                    heard.completeExceptionally(error);
                }
            });
            // Its connections break.
            CompletableFuture<?> _ = death.thenRun(() -> answer.cancel(true));
        }
        return heard;
    }
}
