package io.taskmaster.server.store.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.Stamp;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import io.taskmaster.server.store.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of {@link HBaseColumns} and {@link RowReader}: values are cut into pieces and read back. */
final class RowReaderTest {

    private static final Bytes ROW = Bytes.of("row");
    private static final Stamp OLD = new Stamp(1, 1);
    private static final Stamp NEW = new Stamp(1, 2);

    /** The row by qualifier: like a server, it keeps the newest cell of each. */
    private final NavigableMap<Bytes, org.apache.hadoop.hbase.Cell> row = new TreeMap<>();

    @ParameterizedTest
    @ValueSource(
            ints = {
                0,
                1,
                HBaseColumns.PIECE_BYTES - 1,
                HBaseColumns.PIECE_BYTES,
                HBaseColumns.PIECE_BYTES + 1,
                2 * HBaseColumns.PIECE_BYTES,
                Store.MAX_VALUE_BYTES
            })
    void valueOfAnySizeComesBack(int size) {
        put(7, NEW, random(size));

        assertThat(read()).containsExactly(cell(7, NEW, random(size)));
        assertThat(row).hasSizeLessThanOrEqualTo(HBaseColumns.MAX_PIECES);
    }

    @Test
    void valueLargerThanAnyIsNotTakenOn() {
        assertThatThrownBy(() -> HBaseColumns.split(Bytes.wrap(new byte[Store.MAX_VALUE_BYTES + 1])))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void columnsComeInTheirOrder() {
        put(255, NEW, Bytes.of("last"));
        put(128, OLD, random(HBaseColumns.PIECE_BYTES));
        put(0, NEW, Bytes.of("first"));

        assertThat(read())
                .containsExactly(
                        cell(0, NEW, Bytes.of("first")),
                        cell(128, OLD, random(HBaseColumns.PIECE_BYTES)),
                        cell(255, NEW, Bytes.of("last")));
    }

    @Test
    void piecesThatALargerValueLeftBehindAreNotSeen() {
        put(3, OLD, random(Store.MAX_VALUE_BYTES));
        put(3, NEW, Bytes.of("small"));

        assertThat(row).hasSize(HBaseColumns.MAX_PIECES);
        assertThat(read()).containsExactly(cell(3, NEW, Bytes.of("small")));
    }

    @Test
    void largeValueThatEndsBeforeTheOneItReplacedIsWhole() {
        put(3, OLD, random(Store.MAX_VALUE_BYTES));
        Bytes shorter = random(HBaseColumns.PIECE_BYTES + 5);
        put(3, NEW, shorter);

        assertThat(read()).containsExactly(cell(3, NEW, shorter));
    }

    @Test
    void rowOfNothingButLeftPiecesIsEmpty() {
        put(3, OLD, random(Store.MAX_VALUE_BYTES));
        row.pollFirstEntry();

        assertThat(read()).isEmpty();
    }

    @Test
    void noRowIsEmpty() {
        assertThat(RowReader.read(Table.TASKS, Result.EMPTY_RESULT)).isEmpty();
    }

    @Test
    void missingPieceIsDamage() {
        put(3, NEW, random(Store.MAX_VALUE_BYTES));
        row.pollLastEntry();

        assertDamaged("piece 2 of a large value is missing");
    }

    @Test
    void missingPieceBeforeAnotherColumnIsDamage() {
        put(3, NEW, random(HBaseColumns.PIECE_BYTES));
        row.pollLastEntry();
        put(4, NEW, Bytes.of("x"));

        assertDamaged("piece 1 of a large value is missing");
    }

    @Test
    void columnOfSomebodyElseIsDamage() {
        add(new KeyValue(ROW.unsafeArray(), HBaseColumns.family(), new byte[] {1, 2, 3}, 1, new byte[0]));

        assertDamaged("a qualifier of 3 bytes, which TaskMaster did not write");
    }

    @Test
    void timestampOfSomebodyElseIsDamage() {
        add(new KeyValue(ROW.unsafeArray(), HBaseColumns.family(), new byte[] {1}, Timestamps.LAST + 1, new byte[0]));

        assertDamaged("which TaskMaster did not write");
    }

    @Test
    void cellWithoutAStampShowsItsOwnValue() {
        put(0, Stamp.NONE, Unstamped.encode(Bytes.EMPTY));

        assertThat(read()).containsExactly(cell(0, Stamp.NONE, Bytes.EMPTY));
    }

    private void put(int column, Stamp stamp, Bytes value) {
        Put put = new Put(ROW.unsafeArray());
        HBaseColumns.addTo(put, column, Timestamps.of(stamp), value);
        put.getFamilyCellMap().values().forEach(cells -> cells.forEach(this::add));
    }

    private void add(org.apache.hadoop.hbase.Cell cell) {
        row.put(Bytes.wrap(CellUtil.cloneQualifier(cell)), cell);
    }

    private List<Cell> read() {
        return RowReader.read(Table.TASKS, Result.create(new ArrayList<>(row.values())));
    }

    private void assertDamaged(String how) {
        assertThatThrownBy(this::read)
                .isInstanceOfSatisfying(
                        StoreException.class,
                        damage -> assertThat(damage.outcome()).isEqualTo(Outcome.CORRUPT))
                .hasMessageContaining(how);
    }

    private static Cell cell(int column, Stamp stamp, Bytes value) {
        return new Cell(new CellKey(Table.TASKS, ROW, column), stamp, value);
    }

    private static Bytes random(int size) {
        byte[] bytes = new byte[size];
        new Random(size).nextBytes(bytes);
        return Bytes.wrap(bytes);
    }
}
