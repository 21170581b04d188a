package io.taskmaster.server.store.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.Stamp;
import io.taskmaster.server.store.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Row;
import org.junit.jupiter.api.Test;

final class GatheringTest {

    private static final int CHANGE_BYTES = 49;

    private record Batch(List<Row> rows, List<CompletableFuture<Void>> landed) {

        void land() {
            landed.forEach(row -> row.complete(null));
        }

        List<String> names() {
            return rows.stream().map(row -> Bytes.wrap(row.getRow()).toString()).toList();
        }
    }

    private final List<Batch> sent = new ArrayList<>();

    @Test
    void whatComesWhileBatchesAreOutGoesTogether() {
        Gathering gathering = gathering(1 << 20, 100, 1);
        CompletableFuture<Void> first = gathering.submit(puts("a"));
        CompletableFuture<Void> second = gathering.submit(puts("b", "c"));
        CompletableFuture<Void> third = gathering.submit(puts("d"));
        assertThat(sent).extracting(Batch::names).containsExactly(List.of("a"));

        sent.getFirst().land();
        assertThat(first).isCompleted();
        assertThat(sent).extracting(Batch::names).containsExactly(List.of("a"), List.of("b", "c", "d"));

        sent.getLast().landed().get(1).complete(null);
        assertThat(second).isNotDone();
        sent.getLast().land();
        assertThat(second).isCompleted();
        assertThat(third).isCompleted();
    }

    @Test
    void soManyBatchesAreOutAtOnce() {
        Gathering gathering = gathering(1, 100, 2);
        CompletableFuture<Void> landed = Outcomes.all(
                Stream.of("a", "b", "c").map(row -> gathering.submit(puts(row))).toList());
        assertThat(sent).hasSize(2);

        sent.getLast().land();
        assertThat(sent).hasSize(3);
        assertThat(landed).isNotDone();
    }

    @Test
    void batchIsCutAtItsBytesAndAtItsRows() {
        Gathering byBytes = gathering(2 * CHANGE_BYTES, 100, 3);
        assertThat(byBytes.submit(puts("a", "b", "c"))).isNotDone();
        assertThat(sent).extracting(Batch::names).containsExactly(List.of("a", "b"), List.of("c"));

        sent.clear();
        Gathering byRows = gathering(1 << 20, 2, 3);
        assertThat(byRows.submit(puts("a", "b", "c"))).isNotDone();
        assertThat(sent).extracting(Batch::names).containsExactly(List.of("a", "b"), List.of("c"));
    }

    @Test
    void failureMeetsItsOwnRowOnly() {
        Gathering gathering = gathering(1 << 20, 100, 1);
        CompletableFuture<Void> first = gathering.submit(puts("a"));
        CompletableFuture<Void> fails = gathering.submit(puts("b"));
        CompletableFuture<Void> lands = gathering.submit(puts("c"));
        sent.getFirst().land();
        assertThat(first).isCompleted();

        sent.getLast().landed().getFirst().completeExceptionally(new IllegalStateException("b"));
        sent.getLast().land();
        assertThat(fails).isCompletedExceptionally();
        assertThat(lands).isCompletedWithValue(null);
    }

    @Test
    void batchThatCannotBeSentFailsAndMakesWay() {
        Gathering gathering = new Gathering(
                _ -> {
                    throw new IllegalStateException("cannot send");
                },
                1,
                100,
                1);

        assertThat(gathering.submit(puts("a", "b"))).isCompletedExceptionally();
        assertThat(gathering.submit(puts("c"))).isCompletedExceptionally();
    }

    private Gathering gathering(int batchBytes, int batchRows, int maxBatches) {
        return new Gathering(
                rows -> {
                    List<CompletableFuture<Void>> landed = Stream.generate(() -> new CompletableFuture<Void>())
                            .limit(rows.size())
                            .toList();
                    sent.add(new Batch(rows, landed));
                    return landed;
                },
                batchBytes,
                batchRows,
                maxBatches);
    }

    private static List<RowChange> puts(String... rows) {
        List<CellWrite> writes = new ArrayList<>();
        for (String row : rows) {
            writes.add(new CellWrite.Put(new CellKey(Table.TASKS, Bytes.of(row), 0), new Stamp(1, 1), Bytes.EMPTY));
        }
        return RowChange.of(writes, Dialects.HBASE);
    }
}
