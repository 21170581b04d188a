package io.taskmaster.server.partition.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.fuzz.Decoder;
import io.taskmaster.server.partition.log.ownership.PartitionRecordCodec;
import io.taskmaster.server.partition.log.row.AtomAssembler;
import io.taskmaster.server.partition.log.row.CorruptLogException;
import io.taskmaster.server.partition.log.row.LogKey;
import io.taskmaster.server.partition.log.row.LogRow;
import io.taskmaster.server.partition.log.row.LogRowCodec;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** Tests of decoding log rows and partition records from random bytes. */
final class LogFormatsFuzzTest {

    private static final LogKey KEY = new LogKey(3, 2, 1);

    private static final List<Decoder> DECODERS = List.of(
            decoder("log key", bytes -> LogKey.of(Bytes.wrap(bytes))),
            decoder("partition record", bytes -> PartitionRecordCodec.decode(3, Bytes.wrap(bytes))),
            decoder("log row", bytes -> LogRowCodec.decode(KEY, Bytes.wrap(bytes))),
            decoder("log row with a good checksum", LogFormatsFuzzTest::readSealed));

    private static Decoder decoder(String name, Function<byte[], Object> decode) {
        return new Decoder(name, CorruptLogException.class, decode);
    }

    /**
     * Decodes bytes with a valid checksum: it detects nearly all corruption, but the code behind it must be robust by
     * itself.
     */
    private static Object readSealed(byte[] bytes) {
        byte[] row = bytes.clone();
        if (row.length >= LogRowCodec.HEADER_BYTES) {
            LogRowCodec.seal(row, row.length, KEY, new CRC32C());
        }
        LogRow read = LogRowCodec.decode(KEY, Bytes.wrap(row));
        if (read instanceof LogRow.Atoms atoms) {
            var assembler = new AtomAssembler();
            atoms.fragments()
                    .forEach(
                            fragment -> assertThat(assembler.add(KEY, fragment)).isNotNull());
        }
        return read;
    }

    @Test
    void whatNobodyWroteIsReadOrRefusedAsCorruptAndCostsLittle() throws IOException {
        Decoder.tryOnRandomBytes(DECODERS);
    }
}
