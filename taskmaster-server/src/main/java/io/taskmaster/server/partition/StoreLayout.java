package io.taskmaster.server.partition;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.Table;
import io.taskmaster.server.store.UnknownLayoutException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The settings that are fixed for the life of a store when it is first used: the number of partitions. With another
 * number every group would look for its tasks in the wrong partition and find none. One cell, in the rows of partition
 * 0; the value is a version (1 byte) and the number (4 bytes).
 */
public final class StoreLayout {

    private static final byte KIND = 'd';
    private static final byte VERSION = 1;
    private static final int VALUE_BYTES = 1 + Integer.BYTES;

    private StoreLayout() {}

    /**
     * Fixes the number of partitions of a new store, or compares it with that of an existing one. Completes with an
     * {@link UnknownLayoutException} if they differ, and with the failure of the store; safe to repeat.
     */
    public static CompletableFuture<Void> settle(Store store, int partitions) {
        Bytes requested = Bytes.wrap(
                ByteBuffer.allocate(VALUE_BYTES).put(VERSION).putInt(partitions).array());
        return store.putIfAbsent(key(), requested)
                .thenCompose(isNew -> isNew
                        ? CompletableFuture.<Void>completedFuture(null)
                        : store.read(List.of(key())).thenAccept(found -> compare(found.getFirst(), partitions)));
    }

    private static void compare(Optional<Cell> found, int partitions) {
        var value = ByteBuffer.wrap(found.orElseThrow().value().unsafeArray());
        if (value.remaining() != VALUE_BYTES || value.get() != VERSION) {
            throw new UnknownLayoutException("deployment record: of another form (expected: version " + VERSION + ")");
        }
        int settled = value.getInt();
        if (settled != partitions) {
            throw new UnknownLayoutException(
                    "partitions: " + partitions + " (expected: " + settled + ", as when the data was created)");
        }
    }

    private static CellKey key() {
        byte[] row = new byte[Store.PARTITION_PREFIX_BYTES + 1];
        row[Store.PARTITION_PREFIX_BYTES] = KIND;
        return new CellKey(Table.META, Bytes.wrap(row), 0);
    }
}
