package io.taskmaster.server.partition.log.ownership;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.partition.calls.StoreCalls;
import io.taskmaster.server.store.Store;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The cell of the partition record, as one candidate owner sees it. Every value is unique to its writer, because it
 * contains the writer's nonce, and no value recurs, because epochs and rounds only rise. Single-threaded: owned by the
 * loop.
 */
public final class PartitionRecordCell {

    private final int partition;
    private final CompareAndSetCell cell;

    /** Creates the cell of a candidate that has not read it yet. */
    public PartitionRecordCell(Store store, StoreCalls calls, int partition) {
        this(store, calls, partition, Optional.empty());
    }

    /** Creates the cell of the owner that wrote this record. */
    public PartitionRecordCell(Store store, StoreCalls calls, int partition, PartitionRecord written) {
        this(store, calls, partition, Optional.of(PartitionRecordCodec.encode(written)));
    }

    private PartitionRecordCell(Store store, StoreCalls calls, int partition, Optional<Bytes> held) {
        this.partition = partition;
        this.cell = new CompareAndSetCell(store, calls, PartitionRecordCodec.key(partition), held, this::deposed);
    }

    /** Reads the record; later changes are compared with this value. */
    public CompletableFuture<Optional<PartitionRecord>> read() {
        return cell.read().thenApply(found -> found.map(value -> PartitionRecordCodec.decode(partition, value)));
    }

    /** Checks that the cell still holds the value last read or set. Fails with a {@link DeposedException} if not. */
    public CompletableFuture<Void> confirm() {
        return cell.confirm();
    }

    /**
     * Replaces the record, compared with the value last read or set. Fails with a {@link DeposedException} if another
     * owner has changed it, and with a {@link io.taskmaster.server.store.StoreException} if the outcome is unknown:
     * then the change may still happen.
     */
    public CompletableFuture<Void> replace(PartitionRecord next) {
        return cell.replace(PartitionRecordCodec.encode(next));
    }

    private DeposedException deposed(Optional<Bytes> found) {
        String now = found.map(value -> PartitionRecordCodec.decode(partition, value))
                .map(record -> "%s in epoch %d".formatted(record.owner(), record.epoch()))
                .orElse("nobody");
        return new DeposedException("partition %d is owned by %s".formatted(partition, now));
    }
}
