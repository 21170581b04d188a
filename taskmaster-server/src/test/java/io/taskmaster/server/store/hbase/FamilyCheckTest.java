package io.taskmaster.server.store.hbase;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.server.store.UnknownLayoutException;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

final class FamilyCheckTest {

    private static final TableName NAME = TableName.valueOf("test.tasks");

    @Test
    void plainFamilyIsTakenHoweverManyVersionsItKeeps() {
        assertThatCode(() -> FamilyCheck.require(NAME, table(family -> family.setMaxVersions(3))))
                .doesNotThrowAnyException();
    }

    @Test
    void tableOfSomebodyElseIsRefused() {
        TableDescriptor table = TableDescriptorBuilder.newBuilder(NAME)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("other"))
                .build();

        assertThatThrownBy(() -> FamilyCheck.require(NAME, table))
                .isInstanceOf(UnknownLayoutException.class)
                .hasMessageStartingWith("table test.tasks: no column family c");
    }

    @Test
    void familyWhoseCellsExpireIsRefused() {
        assertRefused(
                family -> family.setTimeToLive(86_400),
                "table test.tasks: family c has TTL => 86400 (expected: FOREVER; alter 'test.tasks', {NAME => 'c', TTL => 'FOREVER'}");
    }

    @Test
    void familyThatKeepsDeletedCellsIsRefused() {
        assertRefused(
                family -> family.setKeepDeletedCells(KeepDeletedCells.TTL),
                "table test.tasks: family c has KEEP_DELETED_CELLS => TTL (expected: FALSE");
    }

    @Test
    void familyWhereADeleteMayNotOutweighALaterPutIsRefused() {
        assertRefused(
                family -> family.setNewVersionBehavior(true),
                "table test.tasks: family c has NEW_VERSION_BEHAVIOR => true (expected: false");
    }

    private static void assertRefused(UnaryOperator<ColumnFamilyDescriptorBuilder> change, String message) {
        assertThatThrownBy(() -> FamilyCheck.require(NAME, table(change)))
                .isInstanceOf(UnknownLayoutException.class)
                .hasMessageStartingWith(message);
    }

    private static TableDescriptor table(UnaryOperator<ColumnFamilyDescriptorBuilder> change) {
        return TableDescriptorBuilder.newBuilder(NAME)
                .setColumnFamily(change.apply(ColumnFamilyDescriptorBuilder.newBuilder(HBaseColumns.family()))
                        .build())
                .build();
    }
}
