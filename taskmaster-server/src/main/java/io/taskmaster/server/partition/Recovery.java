package io.taskmaster.server.partition;

import io.taskmaster.model.Bytes;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.command.ApplyAtom;
import io.taskmaster.server.engine.state.FlushRound.ReapMark;
import io.taskmaster.server.engine.state.PartitionState;
import io.taskmaster.server.format.AtomCodec;
import io.taskmaster.server.format.QueueRecordCodec;
import io.taskmaster.server.format.RowKeys;
import io.taskmaster.server.partition.calls.StoreCalls;
import io.taskmaster.server.partition.context.PartitionSettings;
import io.taskmaster.server.partition.log.Takeover;
import io.taskmaster.server.partition.log.ownership.EpochOwnership;
import io.taskmaster.server.partition.log.ownership.OwnerCandidate;
import io.taskmaster.server.partition.log.row.LoggedAtom;
import io.taskmaster.server.partition.loop.PartitionLoop;
import io.taskmaster.server.partition.read.Corruption;
import io.taskmaster.server.partition.read.StoredRows;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.RowRange;
import io.taskmaster.server.store.ScanLimit;
import io.taskmaster.server.store.Store;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * The opening of a partition: takeover, replay of the log, then the records of its queues. In this order because the
 * log takes precedence over the records, and because only after the takeover no other owner can write records.
 * Single-threaded: owned by the partition's loop.
 */
final class Recovery {

    private static final ScanLimit SLICE = new ScanLimit(Integer.MAX_VALUE, 4 << 20);

    private final int partition;
    private final OwnerCandidate owner;
    private final Store store;
    private final PartitionLoop loop;
    private final StoreCalls calls;
    private final PartitionSettings settings;
    private final RandomGenerator random;
    private final RowKeys keys;
    private final PartitionState state;
    private final List<ReapMark> marks = new ArrayList<>();

    Recovery(
            int partition,
            OwnerCandidate owner,
            Store store,
            PartitionLoop loop,
            PartitionSettings settings,
            RandomGenerator random) {
        this.partition = partition;
        this.owner = owner;
        this.store = store;
        this.loop = loop;
        this.calls = new StoreCalls(loop, settings.log().maxTries());
        this.settings = settings;
        this.random = random;
        this.keys = new RowKeys(partition);
        this.state = new PartitionState(settings.engine());
    }

    /**
     * A partition that can serve.
     *
     * @param partition its number
     * @param marks the marks of dead generations whose rows are still to be cleared away
     */
    record Opened(
            int partition,
            EpochOwnership epochOwnership,
            PartitionState state,
            RowKeys keys,
            StoredRows rows,
            List<ReapMark> marks) {}

    CompletableFuture<Opened> run() {
        Takeover takeover = new Takeover(store, loop, settings.log(), random, partition, owner, this::replay);
        return takeover.run().thenCompose(epochOwnership -> {
            StoredRows rows = new StoredRows(keys, epochOwnership.record());
            // The log may have been empty behind the checkpoint; the next atom has to be above what the checkpoint
            // covers.
            state.restorer().ticket(epochOwnership.lastTicket());
            return eachCell(keys.queueRecords(), rows, this::restoreQueue)
                    .thenCompose(_ -> eachCell(keys.reapMarks(), rows, this::restoreMark))
                    .thenCompose(_ -> eachCell(keys.allOptions(), rows, this::restoreOptions))
                    .thenCompose(_ -> eachCell(
                            keys.requestsFrom(state.requests().firstMinute(loop.nowMillis())),
                            rows,
                            cell -> state.requests().restore(QueueRecordCodec.decodeRequests(cell.value()))))
                    .thenApply(_ -> {
                        state.recovered();
                        return new Opened(partition, epochOwnership, state, keys, rows, marks);
                    });
        });
    }

    private void replay(LoggedAtom atom) {
        ApplyAtom decoded = AtomCodec.decode(atom.ticket(), atom.bytes());
        try {
            state.apply(decoded, loop.nowMillis());
        } catch (RuntimeException breach) {
            throw new BrokenReplayException(partition, atom.ticket(), breach);
        }
    }

    private void restoreQueue(Cell cell) {
        QueueKey queue = RowKeys.queueOf(cell.key().row());
        state.restorer().restore(queue, QueueRecordCodec.decode(cell.value()));
    }

    private void restoreOptions(Cell cell) {
        state.restorer().restore(RowKeys.queueOf(cell.key().row()), QueueRecordCodec.decodeOptions(cell.value()));
    }

    private void restoreMark(Cell cell) {
        ReapMark mark = QueueRecordCodec.decodeMark(RowKeys.queueOf(cell.key().row()), cell.value());
        state.restorer().restore(mark);
        marks.add(mark);
    }

    private CompletableFuture<Void> eachCell(RowRange range, StoredRows rows, Consumer<Cell> sink) {
        return calls.attempt(() -> store.scan(range, SLICE)).thenCompose(result -> {
            result.cells().stream()
                    // A row may be of a round that no checkpoint has confirmed; the replay has brought what it should
                    // hold.
                    .filter(rows::believes)
                    .forEach(cell -> Corruption.withLocation(cell, () -> {
                        sink.accept(cell);
                        return cell;
                    }));
            return result.complete()
                    ? CompletableFuture.completedFuture(null)
                    : eachCell(new RowRange(range.table(), after(result.cells().getLast()), range.to()), rows, sink);
        });
    }

    private static Bytes after(Cell last) {
        byte[] row = last.key().row().unsafeArray();
        return Bytes.wrap(Arrays.copyOf(row, row.length + 1));
    }
}
