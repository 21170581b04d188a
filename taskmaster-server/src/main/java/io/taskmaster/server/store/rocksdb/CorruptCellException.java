package io.taskmaster.server.store.rocksdb;

/** What was read passed RocksDB's checksums but is not of our making, or of a version that we do not know. Immutable. */
final class CorruptCellException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    CorruptCellException(String message) {
        super(message);
    }
}
