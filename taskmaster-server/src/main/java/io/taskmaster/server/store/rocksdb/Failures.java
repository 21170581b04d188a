package io.taskmaster.server.store.rocksdb;

import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status.Code;

/** How a failure of RocksDB is told: what was tried, its status code, and its own words. */
final class Failures {

    private static final String CORRUPTION = Code.Corruption.name();

    private Failures() {}

    /**
     * @param outcome of anything but corruption
     */
    static StoreException of(Outcome outcome, String tried, Throwable failure) {
        boolean corrupt = kind(failure).equals(CORRUPTION);
        return new StoreException(
                corrupt ? Outcome.CORRUPT : outcome,
                tried + ": " + kind(failure) + ": " + failure.getMessage(),
                failure);
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
