package io.taskmaster.server.partition.log;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.bytes.LaterFormatException;
import io.taskmaster.server.partition.calls.StoreCalls;
import io.taskmaster.server.partition.calls.TimedExecutor;
import io.taskmaster.server.partition.log.ownership.Checkpoint;
import io.taskmaster.server.partition.log.ownership.DeposedException;
import io.taskmaster.server.partition.log.ownership.EpochOwnership;
import io.taskmaster.server.partition.log.row.CorruptLogException;
import io.taskmaster.server.partition.log.row.LogKey;
import io.taskmaster.server.partition.log.row.LogRow;
import io.taskmaster.server.partition.log.row.LogRowCodec;
import io.taskmaster.server.partition.log.row.LogSettings;
import io.taskmaster.server.partition.log.row.RowBuffer;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.StoreException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

/**
 * The writer of the log of one epoch, with group commit: atoms that are appended while rows are in flight are grouped
 * into the next row. Single-threaded: owned by the loop.
 *
 * <pre>
 *   append --> gathering --seal--> sealed --submit--> in flight --all earlier ones durable--> committed
 *              one buffer          in order, when     at most W, any order of arrival;
 *                                  the row is full,   one, if many logs are busy
 *                                  cut, or submitted
 * </pre>
 *
 * <p>The states of a row:
 *
 * <pre>{@code
 * state     | event                                        | next state | effect
 * ----------+----------------------------------------------+------------+------------------------------------------
 * gathering | full, sealedPosition(), or flush() with a permit | sealed     | bound to the next sequence
 * sealed    | flush() with a permit                        | in flight  | put-if-absent
 * in flight | put succeeded, or reads back equal           | durable    | permit returned
 * durable   | all earlier rows are durable                 | committed  | onCommitted(last ticket), once per prefix
 * in flight | the cell holds a fence, or no row            | (stopped)  | onStopped(DeposedException)
 * in flight | the cell holds atoms or bad bytes            | (stopped)  | onStopped(CorruptLogException)
 * in flight | outcome unknown after all tries              | (stopped)  | onStopped(StoreException)
 * any       | stop()                                       | (stopped)  | permits returned, no notification
 * }</pre>
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>Sealing binds a row to its sequence for ever: only these bytes are ever put there. So a put of unknown outcome
 *       may be repeated, and a cell that is already there is settled by reading it back.
 *   <li>Only a durable prefix is committed. A row behind a missing one does not count, since a fence of a later owner
 *       may fill the gap.
 *   <li>At most W ({@link LogSettings#maxRowsInFlight}) rows are in flight, counted from the first that is not
 *       committed. A batch of fences is twice as long, so a deposed writer meets one of them.
 *   <li>A row that meets a fence means that the epoch is over, and so does a row of unknown outcome. The writer then
 *       stops, once, and never commits anything again, though rows of it may still land that a later owner replays.
 * </ul>
 *
 * <p>See ADR 4 for fences and ADR 8 for the bound on what waits for the log.
 */
public final class LogWriter {

    /** The observer of a log, called on the loop. */
    public interface Listener {

        /** Notifies that every atom up to this ticket is durable and will be replayed by any later owner. */
        void onCommitted(long ticket);

        /**
         * Notifies that nothing more will be committed; atoms that were appended and not committed may or may not be
         * durable. Not called after {@link LogWriter#stop}.
         *
         * @param reason a {@link DeposedException}, a {@link CorruptLogException}, a {@link StoreException} that
         *     retries did not overcome, or the exception that {@link #onCommitted} threw
         */
        void onStopped(Throwable reason);
    }

    /** A sealed row. */
    private static final class Row {
        final LogKey key;
        final Bytes bytes;

        /** The ticket of the last atom that is complete with this row. */
        final long lastTicket;

        boolean durable;

        Row(LogKey key, Bytes bytes, long lastTicket) {
            this.key = key;
            this.bytes = bytes;
            this.lastTicket = lastTicket;
        }
    }

    private final Store store;
    private final StoreCalls calls;
    private final LogSettings settings;
    private final RowsInFlight rows;
    private final Listener listener;
    private final RowBuffer buffer;
    private final ArrayDeque<Row> sealed = new ArrayDeque<>();
    private final ArrayDeque<Row> inFlight = new ArrayDeque<>();
    private LogKey next;
    private long appendedTicket;
    private long committedTicket;
    private long uncommittedRowBytes;

    /** The total size of all rows sealed so far. */
    private long sealedBytes;

    /** The permits of {@link RowsInFlight} that this log holds. */
    private int places;

    private boolean stopped;

    /**
     * Creates a writer for the epoch of a new owner, whose log is empty.
     *
     * @param rows the rows in flight of this log and others
     */
    public LogWriter(
            Store store,
            TimedExecutor loop,
            LogSettings settings,
            RowsInFlight rows,
            int partition,
            EpochOwnership epochOwnership,
            Listener listener) {
        this.store = store;
        this.calls = new StoreCalls(loop, settings.maxTries());
        this.settings = settings;
        this.rows = rows;
        this.listener = listener;
        this.buffer = new RowBuffer(epochOwnership.record().nonce(), settings.maxRowBytes());
        this.next = LogKey.startOf(partition, epochOwnership.epoch());
        this.appendedTicket = epochOwnership.lastTicket();
        this.committedTicket = epochOwnership.lastTicket();
    }

    /**
     * Appends an atom to the gathering row; {@link #flush} submits it. Ignored after a stop.
     *
     * @param ticket above all earlier ones
     * @param atom copied; may be empty
     */
    public void append(long ticket, byte[] atom) {
        if (stopped) {
            return;
        }
        if (ticket <= appendedTicket) {
            throw new IllegalArgumentException("ticket: %d (expected: above %d)".formatted(ticket, appendedTicket));
        }
        // A fresh row first, so that only an atom larger than a whole row is split.
        if (buffer.remaining() < atom.length) {
            seal();
        }
        int from = 0;
        while (buffer.remaining() < atom.length - from) {
            int length = buffer.remaining();
            buffer.add(ticket, atom, from, length);
            from += length;
            seal();
        }
        buffer.add(ticket, atom, from, atom.length - from);
        // Only after the last fragment: the rows sealed above do not complete this atom and must not commit its ticket.
        appendedTicket = ticket;
    }

    /** Submits rows as far as permits allow. Called at the end of every loop tick. */
    public void flush() {
        while (!stopped && hasMore() && inFlight.size() < settings.maxRowsInFlight() && rows.tryAcquire(places)) {
            places++;
            // Sealed as late as possible: until a permit is free, further atoms still join the row.
            if (sealed.isEmpty()) {
                seal();
            }
            Row row = sealed.remove();
            inFlight.add(row);
            put(row);
        }
    }

    private boolean hasMore() {
        return !sealed.isEmpty() || !buffer.isEmpty();
    }

    /** Seals the gathering row and returns the position behind it, so that a flush round covers the log up to here. */
    public Checkpoint sealedPosition() {
        seal();
        return new Checkpoint(next.epoch(), next.sequence(), appendedTicket);
    }

    /** The ticket of the last atom that was appended. */
    public long appendedTicket() {
        return appendedTicket;
    }

    /** The ticket of the last atom that is durable together with all before it. */
    public long committedTicket() {
        return committedTicket;
    }

    /** Returns true if everything that was appended is committed. */
    public boolean isSettled() {
        return !hasMore() && inFlight.isEmpty();
    }

    /** The number of bytes that are not committed, in sealed rows and in the gathering one. */
    public long uncommittedBytes() {
        return uncommittedRowBytes + (buffer.isEmpty() ? 0 : buffer.size());
    }

    /** The total size of all rows so far, without the gathering one. */
    public long sealedBytes() {
        return sealedBytes;
    }

    /** Stops the writer: it commits nothing from here on and does not notify the listener. Idempotent. */
    public void stop() {
        stopped = true;
        // All permits at once: outcomes of rows in flight are ignored from here on, so none is returned twice.
        releasePlaces(places);
    }

    public boolean isStopped() {
        // The pause before another try may outlast the epoch.
        return stopped;
    }

    private void seal() {
        if (buffer.isEmpty()) {
            return;
        }
        Row row = new Row(next, buffer.seal(next), appendedTicket);
        uncommittedRowBytes += row.bytes.size();
        sealedBytes += row.bytes.size();
        sealed.add(row);
        next = next.next();
    }

    /**
     * Puts a row. A put of unknown outcome is repeated with the same bytes: if an earlier try landed, the repeated put
     * meets it, and reading it back settles the outcome.
     */
    private void put(Row row) {
        onLoop(calls.retry(() -> tryToPut(row), settings.maxTries()), (written, failure) -> {
            if (failure != null) {
                fail(failure);
            } else if (written) {
                durable(row);
            } else {
                readBack(row);
            }
        });
    }

    private CompletableFuture<Boolean> tryToPut(Row row) {
        return stopped
                ? CompletableFuture.failedFuture(new CancellationException("the writer has stopped"))
                : store.putIfAbsent(row.key.cell(), row.bytes);
    }

    /**
     * Reads a cell that was already there: it holds an earlier try of this writer, or the fence that ended this epoch.
     */
    private void readBack(Row row) {
        onLoop(calls.attempt(() -> store.read(List.of(row.key.cell()))), (cells, failure) -> {
            Optional<Bytes> stored = failure == null ? cells.getFirst().map(Cell::value) : Optional.empty();
            if (failure != null) {
                fail(failure);
            } else if (stored.isPresent() && stored.get().equals(row.bytes)) {
                durable(row);
            } else {
                fail(verdict(row, stored));
            }
        });
    }

    private static RuntimeException verdict(Row row, Optional<Bytes> stored) {
        if (stored.isEmpty()) {
            return new DeposedException(row.key + " was trimmed by a later owner");
        }
        try {
            return switch (LogRowCodec.decode(row.key, stored.get())) {
                case LogRow.Fence fence -> new DeposedException(row.key + " is fenced by " + fence.owner());
                case LogRow.Atoms atoms -> LogRowCodec.corrupt(row.key, "it was written by " + atoms.writer());
            };
        } catch (CorruptLogException corrupt) {
            // An intact row of a later format is that of a later version, which owns the partition now.
            return corrupt.getCause() instanceof LaterFormatException
                    ? new DeposedException(row.key + " is of another owner, a later version of TaskMaster")
                    : corrupt;
        }
    }

    private void durable(Row row) {
        row.durable = true;
        releasePlaces(1);
        // Rows land in any order. Only the durable prefix is committed: a later owner fences at the first gap and
        // replays nothing behind it.
        long ticket = committedTicket;
        Row first = inFlight.peek();
        while (first != null && first.durable) {
            inFlight.remove();
            uncommittedRowBytes -= first.bytes.size();
            ticket = first.lastTicket;
            first = inFlight.peek();
        }
        if (ticket > committedTicket) {
            committedTicket = ticket;
            listener.onCommitted(ticket);
        }
        flush();
    }

    private void releasePlaces(int count) {
        places -= count;
        rows.release(count);
    }

    private void fail(Throwable reason) {
        if (!stopped) {
            stop();
            listener.onStopped(reason);
        }
    }

    private interface Outcome<T> {
        void accept(T value, Throwable failure);
    }

    /** Handles an outcome on the loop, unless the writer has stopped by then. */
    private <T> void onLoop(CompletableFuture<T> operation, Outcome<T> outcome) {
        var _ = operation
                .handle((value, failure) -> {
                    if (!stopped) {
                        outcome.accept(value, failure);
                    }
                    return value;
                })
                // An exception of the listener ends up here. The log must not go on for a state that did not follow it.
                .exceptionally(broken -> {
                    fail(StoreCalls.unwrap(broken));
                    return null;
                });
    }
}
