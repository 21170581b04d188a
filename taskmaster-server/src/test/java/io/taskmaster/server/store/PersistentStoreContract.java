package io.taskmaster.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.model.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * The contract of stores whose contents survive reopening. {@link #open} opens the same store each time within a test.
 */
public abstract class PersistentStoreContract extends StoreContract {

    private void reopen() throws Exception {
        store.close();
        store = open();
    }

    @Test
    void everythingIsThereAfterReopening() throws Exception {
        List<CompletableFuture<?>> writes = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            String row = "r%03d".formatted(i);
            writes.add(store.write(List.of(new CellWrite.Put(rows.cell(row), new Stamp(3, i), Bytes.of("task" + i)))));
            writes.add(store.putIfAbsent(rows.cell(Table.LOG, row, 0), Bytes.of("log" + i)));
        }
        writes.forEach(CompletableFuture::join);
        store.deleteRange(rows.range(Table.LOG, "r100", "r200")).join();
        delete(rows.cell("r007"), 4, 1);
        reopen();

        ScanLimit all = new ScanLimit(Integer.MAX_VALUE, Long.MAX_VALUE);
        List<Cell> tasks = scan(rows.all(Table.TASKS), all).cells();
        assertThat(tasks).hasSize(499);
        assertThat(tasks.getLast()).isEqualTo(new Cell(rows.cell("r499"), new Stamp(3, 499), Bytes.of("task499")));
        assertThat(scan(rows.all(Table.LOG), all).cells()).hasSize(400);
    }

    @Test
    void whatWasStagedAndSyncedIsThereAfterReopening() throws Exception {
        CellKey key = rows.cell("staged");
        store.stage(List.of(new CellWrite.Put(key, new Stamp(7, 1), Bytes.of("staged"))))
                .join();
        store.sync().join();
        reopen();

        assertThat(readText(key)).contains("staged");
        put(key, 6, 9, "late");
        assertThat(readText(key)).contains("staged");
    }

    @Test
    void conditionsHoldAfterReopening() throws Exception {
        CellKey log = rows.cell(Table.LOG, "1", 0);
        CellKey record = rows.cell(Table.META, "record", 0);
        store.putIfAbsent(log, Bytes.of("first")).join();
        cas(record, Optional.empty(), "a");
        reopen();

        assertThat(store.putIfAbsent(log, Bytes.of("second")).join()).isFalse();
        assertThat(cas(record, Optional.of("b"), "c")).isFalse();
        assertThat(cas(record, Optional.of("a"), "c")).isTrue();
        assertThat(readText(log)).contains("first");
    }

    @Test
    void stampsHoldAfterReopening() throws Exception {
        CellKey held = rows.cell("held");
        CellKey deleted = rows.cell("deleted");
        put(held, 5, 7, "held");
        put(deleted, 5, 2, "deleted");
        reopen();

        put(held, 4, 9, "older epoch");
        put(held, 5, 6, "older round");
        delete(held, 5, 6);
        assertThat(readText(held)).contains("held");

        delete(deleted, 5, 1);
        assertThat(readText(deleted)).contains("deleted");
        delete(deleted, 5, 3);
        assertThat(readText(deleted)).isEmpty();

        put(held, 5, 8, "next round");
        put(held, 6, 1, "next epoch");
        reopen();
        put(held, 5, 9, "late");
        assertThat(read(held)).contains(new Cell(held, new Stamp(6, 1), Bytes.of("next epoch")));
    }

    @Test
    void randomOperationsAgreeWithANaiveModelAcrossReopening() throws Exception {
        for (long seed = 11; seed <= 13; seed++) {
            RandomOperations operations = new RandomOperations(store, new TestRows(), seed);
            for (int life = 0; life < 3; life++) {
                operations.run(200);
                reopen();
                operations.continueOn(store);
            }
        }
    }
}
