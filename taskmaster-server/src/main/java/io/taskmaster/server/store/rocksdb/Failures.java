package io.taskmaster.server.store.rocksdb;

import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import org.rocksdb.RocksDBException;

/** How a failure of RocksDB is told: what was tried, its status code, and its own words. */
final class Failures {

    private Failures() {}

    static StoreException of(Outcome outcome, String tried, Throwable failure) {
        return new StoreException(outcome, tried + ": " + kind(failure) + ": " + failure.getMessage(), failure);
    }

    private static String kind(Throwable failure) {
        return switch (failure) {
            case RocksDBException rocks
            when rocks.getStatus() != null -> rocks.getStatus().getCode().name();
            case CorruptCellException _ -> "Corruption";
            default -> failure.getClass().getSimpleName();
        };
    }
}
