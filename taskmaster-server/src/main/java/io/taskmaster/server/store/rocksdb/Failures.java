package io.taskmaster.server.store.rocksdb;

import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status.Code;

/**
 * How a failure of RocksDB is told: what was tried, its status code, and its own words; and of damage, where. Immutable.
 *
 * @param db the folder of the database
 */
record Failures(Path db) {

    private static final String CORRUPTION = Code.Corruption.name();
    private static final String NO_LOGS = "existing DB with no WAL files";

    /** RocksDB's words, before the name of the file, for one that could not be made or written, which opening does, too. */
    private static final Pattern TO_WRITE =
            Pattern.compile("[^/]*(?i:append|for write|renam|truncat|pwrite|sync|fallocate|mkdir).*", Pattern.DOTALL);

    private static final Pattern FILE_NAME = Pattern.compile("\\d{6,}\\.(?:sst|log)|MANIFEST-\\d{6,}");

    /**
     * Of what may write. Files that it names need not be there: perhaps they could not be made.
     *
     * @param outcome of anything but damage
     */
    StoreException of(Outcome outcome, String tried, Throwable failure) {
        String kind = kind(failure);
        String told = tried + ": " + kind + ": " + failure.getMessage();
        return kind.equals(CORRUPTION)
                ? new StoreException(Outcome.CORRUPT, located(told), failure)
                : new StoreException(outcome, told, failure);
    }

    /** Some of its words name a file, and some do not. */
    private String located(String told) {
        return told.contains(db.toString()) ? told : told + ", in " + db;
    }

    /** Of what reads, or opens the database: nothing was done, and where a file is missing nothing will be. */
    StoreException ofReading(String tried, Throwable failure) {
        return missesAFile(failure)
                ? new StoreException(
                        Outcome.CORRUPT, located(tried + ": a file is missing: " + failure.getMessage()), failure)
                : of(Outcome.REFUSED, tried, failure);
    }

    /**
     * RocksDB has no status of its own for that, and the words of the system are those of the locale. It need not be found when the database is
     * opened: of many tables only some are looked at then.
     */
    private boolean missesAFile(Throwable failure) {
        String message = String.valueOf(failure.getMessage());
        if (TO_WRITE.matcher(message).matches()) {
            return false;
        }
        return message.contains(NO_LOGS)
                || FILE_NAME.matcher(message).results().anyMatch(name -> Files.notExists(db.resolve(name.group())));
    }

    private static String kind(Throwable failure) {
        return switch (failure) {
            case RocksDBException rocks
            when rocks.getStatus() != null -> rocks.getStatus().getCode().name();
            case CorruptCellException _ -> CORRUPTION;
            default -> failure.getClass().getSimpleName();
        };
    }
}
