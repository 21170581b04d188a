package io.taskmaster.server.store.hbase;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.apache.hadoop.hbase.client.Row;

/**
 * The changes of a slice of a table on their way into batches. While few batches are out, a change goes at once; what comes while they are gathers
 * into the next, so batches grow with the load, and a sync of a server's log is shared by the rounds of many partitions. Thread-safe.
 *
 * <pre>
 *   submit --> waiting --a batch returned, or few are out--> out, at most so many batches --> each row's outcome
 * </pre>
 */
final class Gathering {

    /** Sends a batch: an outcome per mutation, in order. */
    interface Sender extends Function<List<Row>, List<CompletableFuture<Void>>> {}

    private record Waiting(RowChange change, CompletableFuture<Void> outcome) {}

    private final Sender sender;
    private final int batchBytes;
    private final int batchRows;
    private final int maxBatches;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Queue<Waiting> waiting = new ArrayDeque<>();

    @GuardedBy("lock")
    private int batchesOut;

    /**
     * @param batchBytes the largest batch, give or take a row
     * @param batchRows likewise
     * @param maxBatches out at the same time
     */
    Gathering(Sender sender, int batchBytes, int batchRows, int maxBatches) {
        this.sender = sender;
        this.batchBytes = batchBytes;
        this.batchRows = batchRows;
        this.maxBatches = maxBatches;
    }

    /** Takes a change on; complete when it landed. Of a row whose mutations fared differently, a failure counts. */
    CompletableFuture<Void> submit(List<RowChange> changes) {
        List<CompletableFuture<Void>> outcomes = new ArrayList<>(changes.size());
        lock.lock();
        try {
            for (RowChange change : changes) {
                CompletableFuture<Void> outcome = new CompletableFuture<>();
                outcomes.add(outcome);
                waiting.add(new Waiting(change, outcome));
            }
        } finally {
            lock.unlock();
        }
        send();
        return Outcomes.all(outcomes);
    }

    private void send() {
        for (List<Waiting> batch = next(); !batch.isEmpty(); batch = next()) {
            send(batch);
        }
    }

    private List<Waiting> next() {
        lock.lock();
        try {
            List<Waiting> batch = new ArrayList<>();
            if (batchesOut == maxBatches) {
                return batch;
            }
            long bytes = 0;
            while (bytes < batchBytes && batch.size() < batchRows && !waiting.isEmpty()) {
                Waiting change = waiting.remove();
                bytes += change.change().bytes();
                batch.add(change);
            }
            if (!batch.isEmpty()) {
                batchesOut++;
            }
            return batch;
        } finally {
            lock.unlock();
        }
    }

    private void send(List<Waiting> batch) {
        List<Row> mutations = new ArrayList<>(batch.size());
        batch.forEach(waits -> mutations.addAll(waits.change().mutations()));
        List<CompletableFuture<Void>> landed;
        try {
            landed = sender.apply(mutations);
        } catch (RuntimeException failure) {
            landed = mutations.stream()
                    .map(_ -> CompletableFuture.<Void>failedFuture(failure))
                    .toList();
        }
        var _ = Outcomes.all(landed).whenComplete((_, _) -> returned());
        int from = 0;
        for (Waiting waits : batch) {
            int to = from + waits.change().mutations().size();
            Outcomes.copy(Outcomes.all(landed.subList(from, to)), waits.outcome());
            from = to;
        }
    }

    private void returned() {
        lock.lock();
        try {
            batchesOut--;
        } finally {
            lock.unlock();
        }
        send();
    }
}
