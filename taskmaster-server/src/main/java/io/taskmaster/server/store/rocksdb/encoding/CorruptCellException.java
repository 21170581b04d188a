package io.taskmaster.server.store.rocksdb.encoding;

/**
 * A cell that passed RocksDB's checksums but was not written by TaskMaster, or in a version that this server does not
 * know. Immutable.
 */
public final class CorruptCellException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public CorruptCellException(String message) {
        super(message);
    }
}
