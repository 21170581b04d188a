package io.taskmaster.server.store.hbase;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.Table;
import io.taskmaster.server.store.UnknownLayoutException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The version of the layout of cells in the tables ({@link HBaseColumns}, {@link Timestamps}): a number in a row of
 * partition 0, written when the tables are first used. Stateless.
 */
final class LayoutVersion {

    private static final Bytes CURRENT = Bytes.wrap(new byte[] {1});
    private static final byte KIND = 'l';

    private LayoutVersion() {}

    /**
     * Writes the version if it is missing, and checks it. Idempotent; an existing version is only read. Fails with an
     * {@link UnknownLayoutException} if it differs.
     */
    static CompletableFuture<Void> settle(Store store) {
        return read(store)
                .thenCompose(found -> found.isPresent()
                        ? CompletableFuture.completedFuture(found)
                        : store.putIfAbsent(key(), CURRENT).thenCompose(_ -> read(store)))
                .thenAccept(LayoutVersion::requireCurrent);
    }

    private static CompletableFuture<Optional<Bytes>> read(Store store) {
        return store.read(List.of(key())).thenApply(found -> found.getFirst().map(Cell::value));
    }

    private static void requireCurrent(Optional<Bytes> version) {
        if (!version.equals(Optional.of(CURRENT))) {
            throw new UnknownLayoutException("layout of the tables: "
                    + version.map(value -> value.isEmpty() ? "?" : Integer.toString(value.at(0)))
                            .orElse("none")
                    + " (expected: " + CURRENT.at(0) + ")");
        }
    }

    private static CellKey key() {
        byte[] row = new byte[Store.PARTITION_PREFIX_BYTES + 1];
        row[Store.PARTITION_PREFIX_BYTES] = KIND;
        return new CellKey(Table.META, Bytes.wrap(row), 0);
    }
}
