package io.taskmaster.server.store.rocksdb.encoding;

import org.jspecify.annotations.Nullable;

/**
 * A cell that passed RocksDB's checksums but was not written by TaskMaster, or in a version that this server does not
 * know. Immutable.
 */
public final class CorruptCellException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public CorruptCellException(String message) {
        this(message, null);
    }

    public CorruptCellException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
