package io.taskmaster.server.store.rocksdb;

import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import io.taskmaster.server.store.rocksdb.encoding.CorruptCellException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status.Code;

/**
 * The translation of RocksDB's failures into {@link StoreException}: the operation, the status code, RocksDB's message,
 * and for corruption the place. Immutable.
 *
 * @param db the folder of the database
 */
record RocksDbFailures(Path db) {

    private static final String CORRUPTION = Code.Corruption.name();
    private static final String NO_LOGS = "existing DB with no WAL files";

    /**
     * RocksDB's messages, up to the name of the file, for a file that could not be created or written. Opening does
     * both, too.
     */
    private static final Pattern TO_WRITE =
            Pattern.compile("[^/]*(?i:append|for write|renam|truncat|pwrite|sync|fallocate|mkdir).*", Pattern.DOTALL);

    private static final Pattern FILE_NAME = Pattern.compile("\\d{6,}\\.(?:sst|log)|MANIFEST-\\d{6,}");

    /**
     * Translates a failure of an operation that may write. Files that the message names may be missing because they
     * could not be created.
     *
     * @param outcome the outcome, unless the failure is a corruption
     */
    StoreException of(Outcome outcome, String tried, Throwable failure) {
        String kind = kind(failure);
        String message = tried + ": " + kind + ": " + failure.getMessage();
        return kind.equals(CORRUPTION)
                ? new StoreException(Outcome.CORRUPT, located(message), failure)
                : new StoreException(outcome, message, failure);
    }

    /** Adds the folder if the message does not name a file; some messages do, and some do not. */
    private String located(String message) {
        return message.contains(db.toString()) ? message : message + ", in " + db;
    }

    /**
     * Translates a failure of a read, or of opening the database. Nothing was changed. A missing file is a corruption.
     */
    StoreException ofReading(String tried, Throwable failure) {
        return missesAFile(failure)
                ? new StoreException(
                        Outcome.CORRUPT, located(tried + ": a file is missing: " + failure.getMessage()), failure)
                : of(Outcome.REFUSED, tried, failure);
    }

    /**
     * Returns whether a failure says that a file is missing. RocksDB has no status for that, and the system's message
     * depends on the locale. A missing table may surface only after opening: of many tables only some are opened then.
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
