package io.taskmaster.server.store.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.Stamp;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import io.taskmaster.server.store.Table;
import io.taskmaster.server.store.hbase.settings.BigtableSettings;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the changes that each {@link Dialect} makes of the same writes, and of its bounds. */
final class DialectTest {

    private static final Stamp STAMP = new Stamp(3, 4);
    private static final int COLUMNS_OF_A_CELL = HBaseColumns.MAX_PIECES;

    @Test
    void toHBaseARowThatGoesIsOneMarkerAsOfItsStamp() {
        assertThat(cells(only(Dialects.HBASE, delete(0, STAMP), delete(1, STAMP))))
                .singleElement()
                .returns(Cell.Type.DeleteFamily, Cell::getType)
                .returns(Timestamps.of(STAMP), Cell::getTimestamp);
    }

    @Test
    void toHBaseCellsGoOneByOneIfTheRowStays() {
        assertThat(cells(only(Dialects.HBASE, delete(1, STAMP)))).hasSize(COLUMNS_OF_A_CELL);
        assertThat(cells(only(Dialects.HBASE, delete(0, STAMP), delete(1, new Stamp(3, 5)))))
                .hasSize(2 * COLUMNS_OF_A_CELL);
    }

    @Test
    void toBigtableCellsAlwaysGoOneByOne() {
        assertThat(cells(only(Dialects.BIGTABLE, delete(0, STAMP), delete(1, STAMP))))
                .hasSize(2 * COLUMNS_OF_A_CELL)
                .allSatisfy(cell -> assertThat(cell.getType()).isEqualTo(Cell.Type.DeleteColumn))
                .allSatisfy(cell -> assertThat(cell.getTimestamp()).isEqualTo(Timestamps.of(STAMP)));
    }

    @Test
    void toHBaseAPutAndADeleteOfARowAreTwoMutationsAndDurable() {
        assertThat(change(Dialects.HBASE, put(1), delete(2, STAMP)))
                .satisfiesExactly(
                        put -> assertThat(put).isInstanceOf(Put.class),
                        gone -> assertThat(gone).isInstanceOf(Delete.class))
                .allSatisfy(row -> assertThat(((Mutation) row).getDurability()).isEqualTo(Durability.SYNC_WAL));
    }

    @Test
    void toBigtableAPutAndADeleteOfARowAreOneMutation() {
        assertThat(change(Dialects.BIGTABLE, put(1), delete(2, STAMP)))
                .singleElement()
                .isInstanceOfSatisfying(
                        RowMutations.class,
                        both -> assertThat(both.getMutations()).hasSize(2));
        assertThat(change(Dialects.BIGTABLE, put(1))).singleElement().isInstanceOf(Put.class);
    }

    @Test
    void erasureOnHBaseDoesNotDependOnItsClock() {
        assertThat(cells(Dialects.HBASE.rowDelete(Table.TASKS, new byte[] {1})))
                .singleElement()
                .returns(Timestamps.LAST, Cell::getTimestamp);
        assertThat(Dialects.BIGTABLE.rowDelete(Table.TASKS, new byte[] {1}).isEmpty())
                .isTrue();
    }

    @Test
    void onlyWhatIsErasedOfTheLogMayComeBackAfterACrash() {
        assertThat(Dialects.HBASE.rowDelete(Table.LOG, new byte[] {1}).getDurability())
                .isEqualTo(Durability.ASYNC_WAL);
        assertThat(Dialects.HBASE.rowDelete(Table.DELAYED, new byte[] {1}).getDurability())
                .isEqualTo(Durability.SYNC_WAL);
    }

    @Test
    void changesOfARowGoTogetherAndThoseOfOthersApart() {
        CellWrite elsewhere = new CellWrite.Put(new CellKey(Table.DELAYED, Bytes.of("row"), 0), STAMP, Bytes.of("v"));

        List<RowChange> changes = RowChange.of(List.of(put(0), elsewhere, put(1)), Dialects.HBASE);

        assertThat(changes).extracting(RowChange::table).containsExactly(Table.TASKS, Table.DELAYED);
        assertThat(cells(changes.getFirst().mutations().getFirst())).hasSize(2);
    }

    @Test
    void bigtableHasLimitsThatHBaseHasNot() {
        assertThatCode(() -> Dialects.HBASE.requireRow(new byte[4096])).doesNotThrowAnyException();
        assertThatCode(() -> Dialects.HBASE.requireComparable(new byte[1 << 20]))
                .doesNotThrowAnyException();
        assertThatCode(() -> Dialects.BIGTABLE.requireRow(new byte[4095])).doesNotThrowAnyException();

        assertRefused(() -> Dialects.BIGTABLE.requireRow(new byte[4096]), "Bigtable: row: 4096 bytes");
        assertRefused(
                () -> Dialects.BIGTABLE.requireComparable(new byte[10_001]), "Bigtable: compared value: 10001 bytes");
    }

    @Test
    void batchesAndErasuresTogetherNeverMakeBigtablesClientWait() {
        Dialect.Bounds bounds = Dialects.BIGTABLE.bounds();

        assertThat(bounds.maxRowsOut() + bounds.maxRangeDeletes() * RangeDeletes.SLICE_ROWS)
                .isLessThan(20_000);
    }

    @Test
    void bigtableWithoutGooglesClientSaysWhatIsMissing() {
        assertRefused(
                () -> HBaseStore.open(Dialects.BIGTABLE_SETTINGS),
                "bigtable: Google's HBase client is not on the class path (expected: ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "queues:tm.", "a b", "0123456789012345678901234567890123456789abcd"})
    void tableNamesThatBigtableCannotHaveAreRefused(String prefix) {
        BigtableSettings fine = Dialects.BIGTABLE_SETTINGS;

        assertThatThrownBy(() -> new BigtableSettings(
                        fine.project(),
                        fine.instance(),
                        fine.appProfile(),
                        fine.emulator(),
                        prefix,
                        fine.partitions(),
                        fine.regions(),
                        fine.limits()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("table prefix: " + prefix);
    }

    private static void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable what, String message) {
        assertThatThrownBy(what)
                .isInstanceOfSatisfying(
                        StoreException.class,
                        refused -> assertThat(refused.outcome()).isEqualTo(Outcome.REFUSED))
                .hasMessageStartingWith(message);
    }

    private static List<Row> change(Dialect dialect, CellWrite... writes) {
        return RowChange.of(List.of(writes), dialect).getFirst().mutations();
    }

    private static Row only(Dialect dialect, CellWrite... writes) {
        List<Row> change = change(dialect, writes);
        assertThat(change).hasSize(1);
        return change.getFirst();
    }

    private static List<Cell> cells(Row row) {
        return ((Mutation) row)
                .getFamilyCellMap().values().stream().flatMap(List::stream).toList();
    }

    private static CellWrite put(int column) {
        return new CellWrite.Put(key(column), STAMP, Bytes.of("value"));
    }

    private static CellWrite delete(int column, Stamp stamp) {
        return new CellWrite.Delete(key(column), stamp);
    }

    private static CellKey key(int column) {
        return new CellKey(Table.TASKS, Bytes.of("row"), column);
    }
}
