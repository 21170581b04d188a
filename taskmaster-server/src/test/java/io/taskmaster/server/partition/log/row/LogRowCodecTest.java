package io.taskmaster.server.partition.log.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.bytes.LaterFormatException;
import io.taskmaster.server.partition.log.ownership.PartitionRecord;
import io.taskmaster.server.partition.log.ownership.PartitionRecordCodec;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

final class LogRowCodecTest {

    private static final Nonce NONCE = new Nonce(5, 6);
    private static final LogKey KEY = new LogKey(3, 4, 5);

    @Test
    void everyFlippedBitIsFoundOut() {
        byte[] row = row().toByteArray();
        for (int bit = 0; bit < 8 * row.length; bit++) {
            byte[] flipped = row.clone();
            flipped[bit / 8] ^= (byte) (1 << (bit % 8));
            assertThatThrownBy(() -> LogRowCodec.decode(KEY, Bytes.wrap(flipped)))
                    .isInstanceOf(CorruptLogException.class)
                    .hasMessageContaining("log row 3|4|5 is corrupt");
        }
    }

    @Test
    void everyCutIsFoundOut() {
        byte[] row = row().toByteArray();
        for (int length = 0; length < row.length; length++) {
            Bytes cut = Bytes.wrap(Arrays.copyOf(row, length));
            assertThatThrownBy(() -> LogRowCodec.decode(KEY, cut)).isInstanceOf(CorruptLogException.class);
        }
    }

    @Test
    void aRowInAnothersPlaceIsFoundOut() {
        assertThatThrownBy(() -> LogRowCodec.decode(KEY.next(), row()))
                .isInstanceOf(CorruptLogException.class)
                .hasMessageContaining("checksum");
    }

    @Test
    void aRowOfALaterFormatSaysSo() {
        byte[] row = row().toByteArray();
        row[0] = 2;
        assertThatThrownBy(() -> LogRowCodec.decode(KEY, Bytes.wrap(row)))
                .as("damaged: the checksum does not match")
                .hasMessage("log row 3|4|5 is corrupt: its format version 2 is not known")
                .hasNoCause();

        LogRowCodec.seal(row, row.length, KEY, new CRC32C());
        assertThatThrownBy(() -> LogRowCodec.decode(KEY, Bytes.wrap(row)))
                .hasMessageStartingWith("log row 3|4|5: format 2, written by a later version of TaskMaster")
                .hasCauseInstanceOf(LaterFormatException.class);
    }

    @Test
    void aRecordOfALaterFormatSaysSo() {
        byte[] record = PartitionRecordCodec.encode(PartitionRecord.UNOWNED).toByteArray();
        record[0] = 3;
        assertThatThrownBy(() -> PartitionRecordCodec.decode(3, Bytes.wrap(record)))
                .isInstanceOf(CorruptLogException.class)
                .hasMessageStartingWith("the record of partition 3: format 3, written by a later version of TaskMaster")
                .hasCauseInstanceOf(LaterFormatException.class);
    }

    @Test
    void aRecordThatIsCutShortOrTooLongIsFoundOut() {
        byte[] record = PartitionRecordCodec.encode(PartitionRecord.UNOWNED).toByteArray();
        for (int length = 0; length <= record.length + 1; length++) {
            Bytes changed = Bytes.wrap(Arrays.copyOf(record, length));
            if (length == record.length) {
                assertThat(PartitionRecordCodec.decode(3, changed)).isEqualTo(PartitionRecord.UNOWNED);
            } else {
                assertThatThrownBy(() -> PartitionRecordCodec.decode(3, changed))
                        .isInstanceOf(CorruptLogException.class);
            }
        }
    }

    private static Bytes row() {
        RowBuffer buffer = new RowBuffer(NONCE, 1000);
        buffer.add(1, new byte[20], 0, 20);
        buffer.add(2, new byte[7], 0, 7);
        return buffer.seal(KEY);
    }
}
