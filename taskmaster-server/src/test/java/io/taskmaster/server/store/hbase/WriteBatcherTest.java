package io.taskmaster.server.store.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.Stamp;
import io.taskmaster.server.store.Table;
import io.taskmaster.server.store.hbase.traffic.CallLanes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class WriteBatcherTest {

    private static final int PARTITIONS = 8;

    private record Batch(Table table, List<RowChange> rows, List<CompletableFuture<Void>> results) {

        int partition() {
            return rows.getFirst().row()[1];
        }

        void complete() {
            results.forEach(row -> row.complete(null));
        }
    }

    private final List<Batch> sent = new ArrayList<>();

    @Test
    void sliceWhoseServerHangsHoldsUpNoOther() {
        WriteBatcher writeBatcher = gatherings(4, 1, 1_000);
        CompletableFuture<Void> hangs = writeBatcher.submit(put(Table.TASKS, 7));
        CompletableFuture<Void> behind = writeBatcher.submit(put(Table.TASKS, 6));
        assertThat(sent).hasSize(1);

        CompletableFuture<Void> elsewhere = writeBatcher.submit(put(Table.TASKS, 0));
        CompletableFuture<Void> otherTable = writeBatcher.submit(put(Table.DELAYED, 7));
        assertThat(sent).hasSize(3);
        sent.subList(1, 3).forEach(Batch::complete);

        assertThat(elsewhere).isCompleted();
        assertThat(otherTable).isCompleted();
        assertThat(hangs).isNotDone();
        assertThat(behind).isNotDone();
    }

    @Test
    void busySliceHasSeveralBatchesAndEveryOtherOneAtLeast() {
        WriteBatcher writeBatcher = gatherings(2, 4, 1_000);
        List<CompletableFuture<Void>> landing = Stream.of(0, 1, 2, 3, 0, 7, 7)
                .map(partition -> writeBatcher.submit(put(Table.TASKS, partition)))
                .toList();

        assertThat(sent).extracting(Batch::partition).containsExactly(0, 1, 2, 3, 7);
        assertThat(landing).noneMatch(CompletableFuture::isDone);
    }

    @Test
    void changeOfManyPlacesIsDoneWhenAllHaveLanded() {
        WriteBatcher writeBatcher = gatherings(4, 4, 1_000);
        List<RowChange> changes = Stream.of(put(Table.META, 7), put(Table.TASKS, 7), put(Table.TASKS, 0))
                .flatMap(List::stream)
                .toList();
        CompletableFuture<Void> results = writeBatcher.submit(changes);
        assertThat(sent).extracting(Batch::table).containsExactly(Table.META, Table.TASKS, Table.TASKS);

        sent.subList(0, 2).forEach(Batch::complete);
        assertThat(results).isNotDone();
        sent.getLast().complete();
        assertThat(results).isCompleted();
    }

    @Test
    void rowsThatAreOutAreSplitBetweenAllBatches() {
        WriteBatcher writeBatcher = gatherings(2, 4, 40);
        List<RowChange> changes = Stream.generate(() -> put(Table.TASKS, 0))
                .limit(30)
                .flatMap(List::stream)
                .toList();

        assertThat(writeBatcher.submit(changes)).isNotDone();
        assertThat(sent).extracting(batch -> batch.rows().size()).containsExactly(8, 8, 8, 6);
    }

    private WriteBatcher gatherings(int slices, int sliceBatches, int tableRows) {
        return new WriteBatcher(
                (table, rows) -> {
                    List<CompletableFuture<Void>> results = Stream.generate(() -> new CompletableFuture<Void>())
                            .limit(rows.size())
                            .toList();
                    sent.add(new Batch(table, rows, results));
                    return results;
                },
                new CallLanes(PARTITIONS, slices),
                sliceBatches,
                1 << 20,
                tableRows);
    }

    private static List<RowChange> put(Table table, int partition) {
        Bytes row = Bytes.wrap(new byte[] {0, (byte) partition, 'x'});
        return RowChange.of(
                List.of(new CellWrite.Put(new CellKey(table, row, 0), new Stamp(1, 1), Bytes.EMPTY)), Dialects.HBASE);
    }
}
