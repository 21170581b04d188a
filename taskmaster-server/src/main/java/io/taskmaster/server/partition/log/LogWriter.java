package io.taskmaster.server.partition.log;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.StoreException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

/**
 * Writes the log of one epoch, in groups: what is appended while rows are on their way gathers into the next. Single-threaded:
 * owned by the loop.
 *
 * <pre>
 *   append --> gathering --seal--> sealed --submit--> in flight --all earlier ones durable--> committed
 *              one buffer          in order, when     at most W, any order of arrival;
 *                                  the row is full,   one, where many logs are busy
 *                                  cut, or may go
 * </pre>
 *
 * <p>Sealing binds a row to its sequence for ever: whatever happens, only these bytes are put there. A row that cannot be put since
 * something else is there has met a fence, and the epoch is over for its writer; so it is when nobody can say whether a row
 * landed. Then the writer stops, once, and never commits anything again, though rows may still land that a later owner counts.
 */
public final class LogWriter {

    /** Told what becomes of the log, on the loop. */
    public interface Listener {

        /** Every atom up to this ticket is durable and will be replayed by any later owner. */
        void onCommitted(long ticket);

        /**
         * Nothing more will be committed; what was appended and not committed may or may not be. Not called after
         * {@link LogWriter#stop}.
         *
         * @param reason a {@link DeposedException}, a {@link CorruptLogException}, a {@link StoreException} that could not be got
         *     over, or what {@link #onCommitted} threw
         */
        void onStopped(Throwable reason);
    }

    /** A sealed row. */
    private static final class Row {
        final LogKey key;
        final Bytes bytes;

        /** Of the last atom that is complete with this row. */
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
    private final RowBuffer gathering;
    private final ArrayDeque<Row> sealed = new ArrayDeque<>();
    private final ArrayDeque<Row> inFlight = new ArrayDeque<>();
    private LogKey next;
    private long appendedTicket;
    private long committedTicket;
    private long uncommittedRowBytes;

    /** In all rows that were sealed. */
    private long sealedBytes;

    /** Places of ours among the rows of all logs that are on their way. */
    private int places;

    private boolean stopped;

    /**
     * A writer for the epoch of a new owner, whose log is empty yet.
     *
     * @param rows of this log and others
     */
    public LogWriter(
            Store store,
            TimedExecutor loop,
            LogSettings settings,
            RowsInFlight rows,
            int partition,
            Tenure tenure,
            Listener listener) {
        this.store = store;
        this.calls = new StoreCalls(loop, settings.maxTries());
        this.settings = settings;
        this.rows = rows;
        this.listener = listener;
        this.gathering = new RowBuffer(tenure.record().nonce(), settings.maxRowBytes());
        this.next = LogKey.startOf(partition, tenure.epoch());
        this.appendedTicket = tenure.lastTicket();
        this.committedTicket = tenure.lastTicket();
    }

    /**
     * Gathers an atom; it goes out with {@link #flush}. After a stop it is dropped.
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
        if (gathering.room() < atom.length) {
            seal();
        }
        int from = 0;
        while (gathering.room() < atom.length - from) {
            int length = gathering.room();
            gathering.add(ticket, atom, from, length);
            from += length;
            seal();
        }
        gathering.add(ticket, atom, from, atom.length - from);
        appendedTicket = ticket;
    }

    /** Submits what has gathered, as far as rows may be in flight. Called at the end of every turn of the loop. */
    public void flush() {
        while (!stopped && hasMore() && inFlight.size() < settings.maxRowsInFlight() && rows.enter(places)) {
            places++;
            if (sealed.isEmpty()) {
                seal();
            }
            Row row = sealed.remove();
            inFlight.add(row);
            put(row);
        }
    }

    private boolean hasMore() {
        return !sealed.isEmpty() || !gathering.isEmpty();
    }

    /** Ends the gathering row here, so that a flush round can take the log up to here as its own. */
    public Checkpoint cut() {
        seal();
        return new Checkpoint(next.epoch(), next.sequence(), appendedTicket);
    }

    /** Of the last atom that was appended. */
    public long appendedTicket() {
        return appendedTicket;
    }

    /** Of the last atom that is durable together with all before it. */
    public long committedTicket() {
        return committedTicket;
    }

    /** Whether everything that was appended is committed. */
    public boolean isSettled() {
        return !hasMore() && inFlight.isEmpty();
    }

    /** How many bytes wait to be committed, in rows and in the gathering one. */
    public long uncommittedBytes() {
        return uncommittedRowBytes + (gathering.isEmpty() ? 0 : gathering.size());
    }

    /** How many bytes there are in all rows so far, but for the gathering one. */
    public long sealedBytes() {
        return sealedBytes;
    }

    /** Commits nothing from here on, and tells nobody. Idempotent. */
    public void stop() {
        stopped = true;
        leave(places);
    }

    public boolean isStopped() {
        return stopped;
    }

    private void seal() {
        if (gathering.isEmpty()) {
            return;
        }
        Row row = new Row(next, gathering.seal(next), appendedTicket);
        uncommittedRowBytes += row.bytes.size();
        sealedBytes += row.bytes.size();
        sealed.add(row);
        next = next.next();
    }

    /** Landed or not, the same bytes may be put again: if they did land, that meets them, and reading them back settles it. */
    private void put(Row row) {
        onLoop(calls.insist(() -> tryToPut(row), settings.maxTries()), (landed, failure) -> {
            if (failure != null) {
                fail(failure);
            } else if (landed) {
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

    /** Something is there already: an earlier try of ours, or the end of this epoch. */
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
            return corrupt;
        }
    }

    private void durable(Row landed) {
        landed.durable = true;
        leave(1);
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

    private void leave(int left) {
        places -= left;
        rows.leave(left);
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

    /** Looks at an outcome on the loop, unless the writer has stopped by then. */
    private <T> void onLoop(CompletableFuture<T> operation, Outcome<T> outcome) {
        var _ = operation
                .handle((value, failure) -> {
                    if (!stopped) {
                        outcome.accept(value, failure);
                    }
                    return value;
                })
                .exceptionally(broken -> {
                    fail(StoreCalls.unwrap(broken));
                    return null;
                });
    }
}
