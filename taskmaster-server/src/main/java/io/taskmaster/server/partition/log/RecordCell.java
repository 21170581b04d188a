package io.taskmaster.server.partition.log;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.Store;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The cell of the partition record, as one contender sees it. Its values are their writer's alone, because the writer's nonce is in them, and
 * none returns, because epochs and rounds only rise. Single-threaded: owned by the loop.
 */
final class RecordCell {

    private final int partition;
    private final SettledCell cell;

    /** A contender who knows nothing yet. */
    RecordCell(Store store, StoreCalls calls, int partition) {
        this(store, calls, partition, Optional.empty());
    }

    /** The owner, who wrote this record. */
    RecordCell(Store store, StoreCalls calls, int partition, PartitionRecord written) {
        this(store, calls, partition, Optional.of(PartitionRecordCodec.encode(written)));
    }

    private RecordCell(Store store, StoreCalls calls, int partition, Optional<Bytes> held) {
        this.partition = partition;
        this.cell = new SettledCell(store, calls, PartitionRecordCodec.key(partition), held, this::deposed);
    }

    /** Reads the record; later changes go out from what was read. */
    CompletableFuture<Optional<PartitionRecord>> read() {
        return cell.read().thenApply(found -> found.map(value -> PartitionRecordCodec.decode(partition, value)));
    }

    /** Fails with a {@link DeposedException} if the cell no longer holds what was last read or set. */
    CompletableFuture<Void> confirm() {
        return cell.confirm();
    }

    /**
     * Changes the record from what was last read or set. Fails with a {@link DeposedException} if another was faster, and with a
     * {@link io.taskmaster.server.store.StoreException} if it cannot be known: then the change may still happen.
     */
    CompletableFuture<Void> replace(PartitionRecord next) {
        return cell.replace(PartitionRecordCodec.encode(next));
    }

    private DeposedException deposed(Optional<Bytes> found) {
        String now = found.map(value -> PartitionRecordCodec.decode(partition, value))
                .map(record -> "%s in epoch %d".formatted(record.owner(), record.epoch()))
                .orElse("nobody");
        return new DeposedException("partition %d is owned by %s".formatted(partition, now));
    }
}
