package io.taskmaster.server.partition.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.partition.calls.StoreCalls;
import io.taskmaster.server.partition.log.ownership.Checkpoint;
import io.taskmaster.server.partition.log.ownership.OwnerCandidate;
import io.taskmaster.server.partition.log.ownership.PartitionRecord;
import io.taskmaster.server.partition.log.ownership.ScrubRule;
import io.taskmaster.server.partition.log.row.LogSettings;
import io.taskmaster.server.partition.log.row.Nonce;
import io.taskmaster.server.partition.loop.TurnedLoop;
import io.taskmaster.server.store.BreakableStore;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.RowRange;
import io.taskmaster.server.store.ScanLimit;
import io.taskmaster.server.store.Stamp;
import io.taskmaster.server.store.Table;
import io.taskmaster.server.store.memory.MemoryStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Tests of {@link Scrub}: it rewrites the cells of earlier epochs that count, under the stamp of the new owner, and
 * leaves all others as they are.
 */
final class ScrubTest {

    private static final int PARTITION = 258;
    private static final Stamp COMPLETE = new Stamp(1, 2);
    private static final Stamp INCOMPLETE = new Stamp(1, 3);
    private static final List<Table> TABLES = List.of(Table.TASKS, Table.DELAYED, Table.META);

    /** The record of epoch 2, whose owner scrubs; epoch 1 completed two rounds. */
    private static final PartitionRecord RECORD = PartitionRecord.UNOWNED
            .succeededBy(OwnerCandidate.alone("a"), new Nonce(1, 1), new ScrubRule(PARTITION, 256))
            .advancedTo(new Checkpoint(1, 5, 10), 2, 1)
            .succeededBy(OwnerCandidate.alone("b"), new Nonce(2, 2), new ScrubRule(PARTITION, 256));

    private static final Stamp SCRUBBED = new Stamp(2, PartitionRecord.SCRUB_ROUND);

    private final MemoryStore memory = new MemoryStore();
    private final BreakableStore store = new BreakableStore(memory);
    private final TurnedLoop loop = new TurnedLoop();

    @Test
    void whatCountsIsRewrittenAsItIsInAllTables() {
        for (Table table : TABLES) {
            put(table, PARTITION, "first", COMPLETE);
            put(table, PARTITION, "last", new Stamp(1, 1));
        }

        assertThat(scrub(1)).isCompleted();

        for (Table table : TABLES) {
            assertThat(cells(table)).containsExactly(cell(table, "first", SCRUBBED), cell(table, "last", SCRUBBED));
        }
    }

    @Test
    void whatDoesNotCountOrHasNoStampOrIsTheOwnersStays() {
        put(Table.TASKS, PARTITION, "incomplete", INCOMPLETE);
        put(Table.TASKS, PARTITION, "later", new Stamp(3, 1));
        put(Table.TASKS, PARTITION, "own", new Stamp(2, 7));
        put(Table.META, PARTITION, "no stamp", Stamp.NONE);

        assertThat(scrub(1)).isCompleted();

        assertThat(cells(Table.TASKS))
                .containsExactly(
                        cell(Table.TASKS, "incomplete", INCOMPLETE),
                        cell(Table.TASKS, "later", new Stamp(3, 1)),
                        cell(Table.TASKS, "own", new Stamp(2, 7)));
        assertThat(cells(Table.META)).containsExactly(cell(Table.META, "no stamp", Stamp.NONE));
    }

    @Test
    void otherPartitionsAreNotTouched() {
        put(Table.TASKS, PARTITION - 1, "before", COMPLETE);
        put(Table.TASKS, PARTITION, "own", COMPLETE);
        put(Table.TASKS, PARTITION + 1, "behind", COMPLETE);

        assertThat(scrub(1)).isCompleted();

        assertThat(cells(Table.TASKS)).extracting(Cell::stamp).containsExactly(COMPLETE, SCRUBBED, COMPLETE);
    }

    @Test
    void manyRowsAreRewrittenInSlices() {
        IntStream.range(0, 1_000).forEach(i -> put(Table.TASKS, PARTITION, "%04d".formatted(i), COMPLETE));

        for (long scanBytes : new long[] {1, 100, 1 << 20}) {
            assertThat(scrub(scanBytes)).isCompleted();
            assertThat(cells(Table.TASKS))
                    .hasSize(1_000)
                    .extracting(Cell::stamp)
                    .containsOnly(SCRUBBED);
        }
    }

    @Test
    void aStoreThatBreaksEndsIt() {
        put(Table.TASKS, PARTITION, "own", COMPLETE);
        store.breakDown();

        assertThat(scrub(1)).isCompletedExceptionally();
        assertThat(cells(Table.TASKS)).extracting(Cell::stamp).containsExactly(COMPLETE);
    }

    private CompletableFuture<Void> scrub(long scanBytes) {
        LogSettings settings = new LogSettings(1 << 20, 8, 1, scanBytes, 256);
        CompletableFuture<Void> done =
                new Scrub(store, new StoreCalls(loop, settings.maxTries()), settings, PARTITION, RECORD).run();
        loop.tick();
        return done;
    }

    private void put(Table table, int partition, String row, Stamp stamp) {
        memory.write(List.of(new CellWrite.Put(key(table, partition, row), stamp, Bytes.of(row))))
                .join();
    }

    private static Cell cell(Table table, String row, Stamp stamp) {
        return new Cell(key(table, PARTITION, row), stamp, Bytes.of(row));
    }

    private static CellKey key(Table table, int partition, String row) {
        byte[] name = ("??" + row).getBytes(UTF_8);
        name[0] = (byte) (partition >> Byte.SIZE);
        name[1] = (byte) partition;
        return new CellKey(table, Bytes.wrap(name), 0);
    }

    private List<Cell> cells(Table table) {
        Bytes end = Bytes.wrap(new byte[] {(byte) 0xff, (byte) 0xff, (byte) 0xff});
        return memory.scan(new RowRange(table, Bytes.EMPTY, end), new ScanLimit(Integer.MAX_VALUE, Long.MAX_VALUE))
                .join()
                .cells();
    }
}
