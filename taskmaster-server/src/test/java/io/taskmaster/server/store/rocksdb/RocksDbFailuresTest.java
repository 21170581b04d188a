package io.taskmaster.server.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.server.store.StoreException.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.Status.Code;
import org.rocksdb.Status.SubCode;

final class RocksDbFailuresTest {

    private static final String TABLE = "000009.sst";

    private final Path folder;
    private final RocksDbFailures rocksDbFailures;

    RocksDbFailuresTest(@TempDir Path folder) {
        this.folder = folder;
        this.rocksDbFailures = new RocksDbFailures(folder);
    }

    @Test
    void aReadThatMissesATableMeetsDamageAndWillNotDoBetterLater() {
        assertThat(rocksDbFailures.ofReading("read", cannotOpenTheTable()))
                .returns(Outcome.CORRUPT, failure -> failure.outcome())
                .hasMessageContaining("read: a file is missing")
                .hasMessageContaining(TABLE);
    }

    @Test
    void aTableThatIsThereAndCannotBeOpenedNowMayBeReadLater() throws IOException {
        Files.createFile(folder.resolve(TABLE));

        assertThat(rocksDbFailures.ofReading("read", cannotOpenTheTable()))
                .returns(Outcome.REFUSED, failure -> failure.outcome())
                .hasMessageContaining("IOError");
    }

    @Test
    void aFileThatCouldNotBeMadeIsNoDamage() {
        assertThat(rocksDbFailures.of(Outcome.UNKNOWN, "write", cannotOpenTheTable()))
                .returns(Outcome.UNKNOWN, failure -> failure.outcome());
    }

    /** Opening writes, too: on a file system that became read-only it creates no file, and nothing is corrupt. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "While open a file for appending: ",
                "While appending to file: ",
                "While pwrite to file at offset 0: ",
                "while rename file to ",
                "While fdatasync: ",
                "While fallocate offset 0 len 4096: ",
            })
    void aFileThatOpeningCouldNotMakeIsNoDamage(String words) {
        var readOnly = new RocksDBException(
                words + folder.resolve(TABLE) + ": Read-only file system",
                new Status(Code.IOError, SubCode.None, null));

        assertThat(rocksDbFailures.ofReading("open", readOnly)).returns(Outcome.REFUSED, failure -> failure.outcome());
    }

    @Test
    void whatRocksDbCallsCorruptIsDamageWhateverWasTriedAndSaysWhere() {
        var corrupt = new RocksDBException("block checksum mismatch", new Status(Code.Corruption, SubCode.None, null));

        assertThat(rocksDbFailures.of(Outcome.UNKNOWN, "flush", corrupt))
                .returns(Outcome.CORRUPT, failure -> failure.outcome())
                .hasMessage("flush: Corruption: block checksum mismatch, in " + folder);
    }

    @Test
    void damageThatNamesItsFileSaysNoMore() {
        Path file = folder.resolve(TABLE);
        var corrupt = new RocksDBException("mismatch in " + file, new Status(Code.Corruption, SubCode.None, null));

        assertThat(rocksDbFailures.of(Outcome.REFUSED, "read", corrupt))
                .hasMessage("read: Corruption: mismatch in " + file);
    }

    private RocksDBException cannotOpenTheTable() {
        return new RocksDBException(
                "While open a file for random read: " + folder.resolve(TABLE) + ": No such file or directory",
                new Status(Code.IOError, SubCode.None, null));
    }
}
