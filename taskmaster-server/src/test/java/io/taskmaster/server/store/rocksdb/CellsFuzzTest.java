package io.taskmaster.server.store.rocksdb;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.fuzz.Decoder;
import io.taskmaster.server.store.Stamp;
import io.taskmaster.server.store.Table;
import io.taskmaster.server.store.rocksdb.encoding.CorruptCellException;
import io.taskmaster.server.store.rocksdb.encoding.KeyCodec;
import io.taskmaster.server.store.rocksdb.encoding.ValueCodec;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Fuzz tests of the codecs of RocksDB's keys and values. */
final class CellsFuzzTest {

    private static final List<Decoder> DECODERS = List.of(
            new Decoder("key", CorruptCellException.class, bytes -> KeyCodec.decode(Table.TASKS, bytes)),
            new Decoder("value", CorruptCellException.class, CellsFuzzTest::value));

    private static Bytes value(byte[] bytes) {
        Stamp stamp = ValueCodec.stamp(bytes);
        return ValueCodec.value(bytes, stamp);
    }

    @Test
    void whatNobodyWroteIsReadOrRefusedAsCorruptAndCostsLittle() throws IOException {
        Decoder.tryOnRandomBytes(DECODERS);
    }
}
