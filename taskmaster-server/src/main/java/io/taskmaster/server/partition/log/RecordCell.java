package io.taskmaster.server.partition.log;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.StoreException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The cell of the partition record, as one contender sees it. Single-threaded: owned by the loop.
 *
 * <p>A compare-and-set whose outcome is not plainly "done" is settled by reading back. The value is ours alone, because our nonce
 * is in it, and no value ever returns, because epochs and rounds only rise: so finding it means that we won, finding the expected
 * value means that the same change may be tried again, and finding anything else means that we lost.
 */
final class RecordCell {

    private final Store store;
    private final StoreCalls calls;
    private final int partition;
    private final CellKey key;
    private Optional<Bytes> held;

    /** A contender who knows nothing yet. */
    RecordCell(Store store, StoreCalls calls, int partition) {
        this(store, calls, partition, Optional.empty());
    }

    /** The owner, who wrote this record. */
    RecordCell(Store store, StoreCalls calls, int partition, PartitionRecord written) {
        this(store, calls, partition, Optional.of(PartitionRecordCodec.encode(written)));
    }

    private RecordCell(Store store, StoreCalls calls, int partition, Optional<Bytes> held) {
        this.store = store;
        this.calls = calls;
        this.partition = partition;
        this.key = PartitionRecordCodec.key(partition);
        this.held = held;
    }

    /** Reads the record; later changes go out from what was read. */
    CompletableFuture<Optional<PartitionRecord>> read() {
        return readBytes().thenApply(found -> {
            held = found;
            return found.map(value -> PartitionRecordCodec.decode(partition, value));
        });
    }

    /** Fails with a {@link DeposedException} if the cell no longer holds what was last read or set. */
    CompletableFuture<Void> confirm() {
        return readBytes().thenAccept(found -> {
            if (!found.equals(held)) {
                throw deposed(found);
            }
        });
    }

    /**
     * Changes the record from what was last read or set. Fails with a {@link DeposedException} if another was faster, and with a
     * {@link StoreException} if it cannot be known: then the change may still happen.
     */
    CompletableFuture<Void> replace(PartitionRecord next) {
        return replace(PartitionRecordCodec.encode(next), 1);
    }

    private CompletableFuture<Void> replace(Bytes next, int tries) {
        return calls.insist(() -> store.compareAndSet(key, held, next), 1)
                .handle(StoreCalls::isDone)
                .thenCompose(done -> done ? CompletableFuture.completedFuture(Optional.of(next)) : readBytes())
                .thenCompose(found -> {
                    if (found.equals(Optional.of(next))) {
                        held = found;
                        return CompletableFuture.completedFuture(null);
                    }
                    if (!found.equals(held)) {
                        throw deposed(found);
                    }
                    if (tries == calls.maxTries()) {
                        throw StoreCalls.unknown("the record of partition %d could not be changed in %d tries"
                                .formatted(partition, tries));
                    }
                    return calls.pause(tries).thenCompose(_ -> replace(next, tries + 1));
                });
    }

    private CompletableFuture<Optional<Bytes>> readBytes() {
        return calls.attempt(() -> store.read(List.of(key)))
                .thenApply(cells -> cells.getFirst().map(Cell::value));
    }

    private DeposedException deposed(Optional<Bytes> found) {
        String now = found.map(value -> PartitionRecordCodec.decode(partition, value))
                .map(record -> "%s in epoch %d".formatted(record.owner(), record.epoch()))
                .orElse("nobody");
        return new DeposedException("partition %d is owned by %s".formatted(partition, now));
    }
}
