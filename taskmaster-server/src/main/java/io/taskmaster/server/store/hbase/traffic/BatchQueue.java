package io.taskmaster.server.store.hbase.traffic;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * A queue of changes on their way into batches. While few batches are in flight, a change goes at once. Changes that
 * arrive when no more batches may go gather into the next one. So batches grow with the load, and the flush rounds of
 * many partitions share a sync of a server's log. Thread-safe.
 *
 * <pre>
 *   submit --> waiting --a batch returned, or few are out--> in flight, bounded in batches --> outcome of each change
 * </pre>
 *
 * @param <C> a change
 */
public final class BatchQueue<C> {

    /** A sender of batches. Returns an outcome per change, in order. */
    public interface Sender<C> extends Function<List<C>, List<CompletableFuture<Void>>> {}

    private record Waiting<C>(C change, CompletableFuture<Void> outcome) {}

    private final Sender<C> sender;
    private final ToLongFunction<C> weights;
    private final int batchBytes;
    private final int batchChanges;
    private final LaneShares batches;
    private final int lane;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Queue<Waiting<C>> waiting = new ArrayDeque<>();

    /**
     * Creates an empty gathering.
     *
     * @param weights the size of a change, in bytes
     * @param batchBytes the maximum size of a batch, exceeded by a change at most
     * @param batchChanges the maximum number of changes in a batch
     * @param batches the permits for batches in flight, shared with other gatherings
     * @param lane the lane of this gathering in them
     */
    public BatchQueue(
            Sender<C> sender,
            ToLongFunction<C> weights,
            int batchBytes,
            int batchChanges,
            LaneShares batches,
            int lane) {
        this.sender = sender;
        this.weights = weights;
        this.batchBytes = batchBytes;
        this.batchChanges = batchChanges;
        this.batches = batches;
        this.lane = lane;
    }

    /** Submits changes. Completes when all have landed. */
    public CompletableFuture<Void> submit(List<C> changes) {
        List<CompletableFuture<Void>> outcomes = new ArrayList<>(changes.size());
        lock.lock();
        try {
            for (C change : changes) {
                CompletableFuture<Void> outcome = new CompletableFuture<>();
                outcomes.add(outcome);
                waiting.add(new Waiting<>(change, outcome));
            }
        } finally {
            lock.unlock();
        }
        // Outside the lock: outcomes may arrive at once, and run code of the caller.
        send();
        return CallOutcomes.all(outcomes);
    }

    private void send() {
        for (List<Waiting<C>> batch = next(); !batch.isEmpty(); batch = next()) {
            send(batch);
        }
    }

    private List<Waiting<C>> next() {
        lock.lock();
        try {
            List<Waiting<C>> batch = new ArrayList<>();
            // The permit is refused only while this lane has a batch in flight, since a lane that holds none is always
            // granted one. The return of that batch sends what is waiting, so no change is left behind.
            if (waiting.isEmpty() || !batches.take(lane, 1)) {
                return batch;
            }
            long bytes = 0;
            while (bytes < batchBytes && batch.size() < batchChanges && !waiting.isEmpty()) {
                Waiting<C> next = waiting.remove();
                bytes += weights.applyAsLong(next.change());
                batch.add(next);
            }
            return batch;
        } finally {
            lock.unlock();
        }
    }

    private void send(List<Waiting<C>> batch) {
        List<C> changes = batch.stream().map(Waiting::change).toList();
        List<CompletableFuture<Void>> results;
        try {
            results = sender.apply(changes);
        } catch (RuntimeException failure) {
            results = changes.stream()
                    .map(_ -> CompletableFuture.<Void>failedFuture(failure))
                    .toList();
        }
        // The permit is held until every change of the batch has an outcome.
        var _ = CallOutcomes.all(results).whenComplete((_, _) -> returned());
        for (int i = 0; i < batch.size(); i++) {
            CallOutcomes.copy(results.get(i), batch.get(i).outcome());
        }
    }

    private void returned() {
        batches.give(lane, 1);
        send();
    }
}
