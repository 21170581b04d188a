package io.taskmaster.server.partition.log;

import io.taskmaster.server.partition.calls.StoreCalls;
import io.taskmaster.server.partition.log.ownership.EpochOwnership;
import io.taskmaster.server.partition.log.row.CorruptLogException;
import io.taskmaster.server.partition.log.row.LogKey;
import io.taskmaster.server.partition.log.row.LogRow;
import io.taskmaster.server.partition.log.row.LogRowCodec;
import io.taskmaster.server.partition.log.row.LogSettings;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.RowRange;
import io.taskmaster.server.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The deletion of log rows that the checkpoint has passed, except for the first fence of every epoch. Single-threaded:
 * owned by the loop.
 *
 * <p>Those fences stay for ever, since a writer may be suspended for any time before its next row arrives. In the
 * epochs that this owner replayed it knows the first fence. In older ones, where an earlier owner may have left rows
 * behind, it does not: a fence may have landed late in front of the first, in place of a row that was trimmed. So all
 * fences of those epochs stay, and only rows of atoms are deleted (ADR 4).
 *
 * <p>The older epochs are swept once, from the epoch up to which the record says that earlier owners swept. A row that
 * lands in one of them later is behind a fence, so it does not count and stays.
 *
 * <p>Failures do no harm: the next checkpoint resumes where this one stopped.
 */
final class LogTrimmer {

    private final Store store;
    private final StoreCalls calls;
    private final LogSettings settings;
    private final EpochOwnership epochOwnership;
    private final LogKey replayedFrom;
    private LogKey sweptTo;
    private LogKey trimmedTo;
    private final Runnable onIdle;
    private boolean busy;

    /**
     * Creates a trimmer for a new owner.
     *
     * @param onIdle called when a run of {@link #trim} is over, successful or not
     */
    LogTrimmer(
            Store store,
            StoreCalls calls,
            LogSettings settings,
            int partition,
            EpochOwnership epochOwnership,
            Runnable onIdle) {
        this.store = store;
        this.calls = calls;
        this.settings = settings;
        this.epochOwnership = epochOwnership;
        this.onIdle = onIdle;
        this.sweptTo = LogKey.startOf(partition, epochOwnership.record().sweptTo());
        this.replayedFrom = LogKey.startOf(
                partition,
                epochOwnership.endedAt().isEmpty()
                        ? epochOwnership.epoch()
                        : epochOwnership.endedAt().firstKey());
        this.trimmedTo = replayedFrom;
    }

    boolean isBusy() {
        return busy;
    }

    /**
     * The epoch up to which the log is swept: of earlier epochs it holds only fences. As the record states it, until
     * the sweep of this owner is complete.
     */
    long sweptTo() {
        return sweptTo.sequence() == 0
                ? sweptTo.epoch()
                : epochOwnership.record().sweptTo();
    }

    /**
     * Deletes the rows up to this checkpoint. Does nothing if an earlier run is still in flight: the next run then
     * deletes these rows too.
     */
    void trim(LogKey checkpoint) {
        if (busy) {
            return;
        }
        busy = true;
        var _ = sweep().thenCompose(_ -> deleteAll(coveredRanges(checkpoint))).handle((_, failure) -> {
            if (failure == null) {
                trimmedTo = checkpoint;
            }
            busy = false;
            onIdle.run();
            return failure;
        });
    }

    /** Deletes, once, the rows of epochs before the first replayed one. */
    private CompletableFuture<Void> sweep() {
        if (sweptTo.epoch() >= replayedFrom.epoch()) {
            return CompletableFuture.completedFuture(null);
        }
        return calls.attempt(() -> store.scan(sweptTo.until(replayedFrom), settings.slice()))
                .thenCompose(slice -> deleteAll(withoutFences(slice.cells())).thenCompose(_ -> {
                    // Only after the deletion, so that a slice whose deletion failed is swept again.
                    sweptTo = slice.complete()
                            ? replayedFrom
                            : keyOf(slice.cells().getLast()).next();
                    return sweep();
                }));
    }

    /** Returns the rows that the checkpoint has passed, without the first fence of every replayed epoch. */
    private List<RowRange> coveredRanges(LogKey checkpoint) {
        List<RowRange> ranges = new ArrayList<>();
        LogKey from = trimmedTo;
        // Only until a first trim has succeeded: from then on trimmedTo lies in the own epoch, which has no fence while
        // its owner lives.
        if (from.epoch() < epochOwnership.epoch()) {
            for (Map.Entry<Long, Long> end : epochOwnership.endedAt().entrySet()) {
                LogKey fence = new LogKey(from.partition(), end.getKey(), end.getValue());
                // The range begins behind the fence of the epoch before, where rows never counted.
                ranges.add(from.until(fence));
                from = fence.next();
            }
        }
        ranges.add(from.until(checkpoint));
        return ranges;
    }

    /** Returns the ranges of rows of atoms between fences, and between unreadable rows. */
    private static List<RowRange> withoutFences(List<Cell> cells) {
        List<RowRange> ranges = new ArrayList<>();
        int first = 0;
        for (int i = 0; i <= cells.size(); i++) {
            if (i == cells.size() || !isAtoms(cells.get(i))) {
                if (first < i) {
                    ranges.add(keyOf(cells.get(first))
                            .until(keyOf(cells.get(i - 1)).next()));
                }
                first = i + 1;
            }
        }
        return ranges;
    }

    /** Returns true for a row of atoms. An unreadable row may have been a fence, so it is kept. */
    private static boolean isAtoms(Cell cell) {
        try {
            return LogRowCodec.decode(keyOf(cell), cell.value()) instanceof LogRow.Atoms;
        } catch (CorruptLogException unreadable) {
            return false;
        }
    }

    private static LogKey keyOf(Cell cell) {
        return LogKey.of(cell.key().row());
    }

    private CompletableFuture<Void> deleteAll(List<RowRange> ranges) {
        CompletableFuture<Void> done = CompletableFuture.completedFuture(null);
        for (RowRange range : ranges) {
            if (range.from().compareTo(range.to()) < 0) {
                done = done.thenCompose(_ -> calls.retry(() -> store.deleteRange(range), calls.maxTries()));
            }
        }
        return done;
    }
}
