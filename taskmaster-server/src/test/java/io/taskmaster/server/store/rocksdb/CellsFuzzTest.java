package io.taskmaster.server.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.fuzz.Decoder;
import io.taskmaster.server.fuzz.Fuzzing;
import io.taskmaster.server.fuzz.StoredSamples;
import io.taskmaster.server.store.Stamp;
import io.taskmaster.server.store.Table;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Keys and values of RocksDB of bytes that nobody wrote. */
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
        var samples = new StoredSamples();

        long tried = Fuzzing.run(random -> {
            byte[] bytes = samples.mutated(random);
            DECODERS.forEach(decoder -> decoder.tryOn(bytes));
        });

        assertThat(tried).isGreaterThan(100);
    }
}
