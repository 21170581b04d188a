package io.taskmaster.server.store.hbase.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class BatchQueueTest {

    private static final int CHANGE_BYTES = 49;

    private record Batch(List<String> names, List<CompletableFuture<Void>> results) {

        void complete() {
            results.forEach(row -> row.complete(null));
        }
    }

    private final List<Batch> sent = new ArrayList<>();

    @Test
    void whatComesWhileBatchesAreOutGoesTogether() {
        BatchQueue<String> batchQueue = gathering(1 << 20, 100, 1);
        CompletableFuture<Void> first = batchQueue.submit(List.of("a"));
        CompletableFuture<Void> second = batchQueue.submit(List.of("b", "c"));
        CompletableFuture<Void> third = batchQueue.submit(List.of("d"));
        assertThat(sent).extracting(Batch::names).containsExactly(List.of("a"));

        sent.getFirst().complete();
        assertThat(first).isCompleted();
        assertThat(sent).extracting(Batch::names).containsExactly(List.of("a"), List.of("b", "c", "d"));

        sent.getLast().results().get(1).complete(null);
        assertThat(second).isNotDone();
        sent.getLast().complete();
        assertThat(second).isCompleted();
        assertThat(third).isCompleted();
    }

    @Test
    void soManyBatchesAreOutAtOnce() {
        BatchQueue<String> batchQueue = gathering(1, 100, 2);
        CompletableFuture<Void> results = CallOutcomes.all(Stream.of("a", "b", "c")
                .map(row -> batchQueue.submit(List.of(row)))
                .toList());
        assertThat(sent).hasSize(2);

        sent.getLast().complete();
        assertThat(sent).hasSize(3);
        assertThat(results).isNotDone();
    }

    @Test
    void batchIsCutAtItsBytesAndAtItsRows() {
        BatchQueue<String> byBytes = gathering(2 * CHANGE_BYTES, 100, 3);
        assertThat(byBytes.submit(List.of("a", "b", "c"))).isNotDone();
        assertThat(sent).extracting(Batch::names).containsExactly(List.of("a", "b"), List.of("c"));

        sent.clear();
        BatchQueue<String> byRows = gathering(1 << 20, 2, 3);
        assertThat(byRows.submit(List.of("a", "b", "c"))).isNotDone();
        assertThat(sent).extracting(Batch::names).containsExactly(List.of("a", "b"), List.of("c"));
    }

    @Test
    void failureMeetsItsOwnRowOnly() {
        BatchQueue<String> batchQueue = gathering(1 << 20, 100, 1);
        CompletableFuture<Void> first = batchQueue.submit(List.of("a"));
        CompletableFuture<Void> fails = batchQueue.submit(List.of("b"));
        CompletableFuture<Void> lands = batchQueue.submit(List.of("c"));
        sent.getFirst().complete();
        assertThat(first).isCompleted();

        sent.getLast().results().getFirst().completeExceptionally(new IllegalStateException("b"));
        sent.getLast().complete();
        assertThat(fails).isCompletedExceptionally();
        assertThat(lands).isCompletedWithValue(null);
    }

    @Test
    void batchThatCannotBeSentFailsAndMakesWay() {
        BatchQueue<String> batchQueue = new BatchQueue<>(
                _ -> {
                    throw new IllegalStateException("cannot send");
                },
                _ -> CHANGE_BYTES,
                1,
                100,
                new LaneShares(1, 1),
                0);

        assertThat(batchQueue.submit(List.of("a", "b"))).isCompletedExceptionally();
        assertThat(batchQueue.submit(List.of("c"))).isCompletedExceptionally();
    }

    private BatchQueue<String> gathering(int batchBytes, int batchRows, int maxBatches) {
        return new BatchQueue<>(
                names -> {
                    List<CompletableFuture<Void>> results = Stream.generate(() -> new CompletableFuture<Void>())
                            .limit(names.size())
                            .toList();
                    sent.add(new Batch(names, results));
                    return results;
                },
                _ -> CHANGE_BYTES,
                batchBytes,
                batchRows,
                new LaneShares(maxBatches, 1),
                0);
    }
}
