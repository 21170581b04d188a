package io.taskmaster.server.store.rocksdb;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One call of {@code write}, split into pieces that each fit a batch, and done when the last of them has landed. The
 * changes of a row stay in one piece, so that they land atomically. Thread-safe.
 */
final class ChunkedWrite {

    /** The estimated overhead of a cell beside its row and its value: framing, stamp and memtable entry, in bytes. */
    private static final long CELL_OVERHEAD_BYTES = 24;

    private record TableRow(Table table, Bytes row) {}

    private final CompletableFuture<Void> done = new CompletableFuture<>();
    private final AtomicInteger missing = new AtomicInteger();

    private final boolean logged;

    private ChunkedWrite(boolean logged) {
        this.logged = logged;
    }

    /**
     * Splits a write into at least one piece.
     *
     * @param logged true if the write is done when it is durable, false if it is done when reads see it
     */
    static List<WriteOperation.Cells> split(List<CellWrite> writes, int pieceBytes, boolean logged) {
        long bytes = 0;
        for (CellWrite write : writes) {
            bytes += bytes(write);
        }
        ChunkedWrite chunkedWrite = new ChunkedWrite(logged);
        List<WriteOperation.Cells> pieces = bytes <= pieceBytes
                ? List.of(new WriteOperation.Cells(List.copyOf(writes), bytes, chunkedWrite))
                : chunkedWrite.splitBetweenRows(writes, pieceBytes);
        // Before any piece is queued, so that no piece that lands early finds a count that is too small.
        chunkedWrite.missing.set(pieces.size());
        return pieces;
    }

    private List<WriteOperation.Cells> splitBetweenRows(List<CellWrite> writes, int pieceBytes) {
        Map<TableRow, List<CellWrite>> rows = LinkedHashMap.newLinkedHashMap(writes.size());
        for (CellWrite write : writes) {
            TableRow row = new TableRow(write.key().table(), write.key().row());
            rows.computeIfAbsent(row, _ -> new ArrayList<>(2)).add(write);
        }
        List<WriteOperation.Cells> pieces = new ArrayList<>();
        List<CellWrite> piece = new ArrayList<>();
        long bytes = 0;
        for (List<CellWrite> row : rows.values()) {
            long rowBytes = row.stream().mapToLong(ChunkedWrite::bytes).sum();
            // A row larger than a piece gets a piece of its own, as rows are not split.
            if (bytes + rowBytes > pieceBytes && !piece.isEmpty()) {
                pieces.add(new WriteOperation.Cells(piece, bytes, this));
                piece = new ArrayList<>();
                bytes = 0;
            }
            piece.addAll(row);
            bytes += rowBytes;
        }
        pieces.add(new WriteOperation.Cells(piece, bytes, this));
        return pieces;
    }

    private static long bytes(CellWrite write) {
        long size = CELL_OVERHEAD_BYTES + write.key().row().size();
        return switch (write) {
            case CellWrite.Put put -> size + put.value().size();
            case CellWrite.Delete _ -> size;
        };
    }

    boolean areLogged() {
        return logged;
    }

    /** The future that completes with the last piece, or with the first failure of one. */
    CompletableFuture<Void> done() {
        return done;
    }

    void pieceWritten() {
        if (missing.decrementAndGet() == 0) {
            done.complete(null);
        }
    }

    void fail(RuntimeException failure) {
        done.completeExceptionally(failure);
    }
}
