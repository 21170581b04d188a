package io.taskmaster.server.partition.flush;

import io.taskmaster.server.engine.state.FlushRound;
import io.taskmaster.server.engine.state.PartitionState;
import io.taskmaster.server.partition.context.FlushSettings;
import io.taskmaster.server.partition.context.PartitionContext;
import io.taskmaster.server.partition.context.PartitionRows;
import io.taskmaster.server.partition.log.Checkpointer;
import io.taskmaster.server.partition.log.LogWriter;
import io.taskmaster.server.partition.log.ownership.Checkpoint;
import io.taskmaster.server.partition.loop.PartitionLoop;
import io.taskmaster.server.partition.read.ReadIds;
import io.taskmaster.server.store.CellWrite;
import io.taskmaster.server.store.Stamp;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.StoreException.Outcome;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The flush rounds of a partition, which write dirty state to the rows (ADR 6). One round at a time. Single-threaded:
 * owned by the partition's loop.
 *
 * <pre>{@code
 * state      | event                                  | next state | effect
 * -----------+----------------------------------------+------------+-------------------------------------------
 * idle       | start(), few dirty entries             | cut        | round taken, log cut, next round number
 * idle       | start(), many dirty entries            | starting   | offloaded (ADR 9)
 * starting   | the strand is ready                    | cut        | as above
 * cut        | the log is durable up to the round     | writing    | pieces sent, a limited number in flight
 * writing    | a piece is durable                     | writing    | next piece
 * writing    | all pieces durable, small round        | checkpoint | record compared and set
 * writing    | all pieces staged, large round         | syncing    | one sync of the store
 * syncing    | synced                                 | checkpoint | record compared and set
 * checkpoint | stored                                 | settling   | entries become clean, a slice per loop tick
 * settling   | the last slice                         | idle       | onRoundCompleted
 * any        | deposed, or an outcome is unknown      | stopped    | onRoundFailed, once
 * }</pre>
 *
 * <p>Invariants: a round writes only state whose atoms are committed, so rows never show what a later owner would not
 * replay. The checkpoint moves only after every write of the round is durable, so the log is trimmed only behind the
 * rows.
 */
public final class FlushRounds {

    /** The observer of rounds: one has completed, or none can complete any more. */
    public interface Listener {

        void onRoundCompleted(Through round);

        void onRoundFailed(Throwable reason);
    }

    /**
     * A completed round.
     *
     * @param logBytes the size of the log rows, from the beginning of the epoch, that it covers
     */
    public record Through(FlushRound round, long logBytes, long tookMillis) {}

    private static final int MAX_SETTLED_PER_TASK = 2048;

    private final PartitionRows stored;
    private final PartitionLoop loop;
    private final FlushSettings settings;
    private final int largeEntries;
    private final PartitionState state;
    private final LogWriter log;
    private final Checkpointer checkpointer;
    private final ReadIds readIds;
    private final Listener listener;

    private @Nullable Running running;
    private boolean starting;
    private long rounds;
    private boolean stopped;

    public FlushRounds(
            PartitionContext context,
            PartitionRows stored,
            LogWriter log,
            Checkpointer checkpointer,
            ReadIds readIds,
            Listener listener) {
        this.stored = stored;
        this.loop = context.loop();
        this.settings = context.settings().flush();
        this.largeEntries = context.settings().largeElements();
        this.state = context.state();
        this.log = log;
        this.checkpointer = checkpointer;
        this.readIds = readIds;
        this.listener = listener;
        this.rounds = checkpointer.record().lastCompleteRound();
    }

    public boolean isRunning() {
        return starting || running != null;
    }

    /** Returns true if so much is dirty that a round is due before its time. */
    public boolean isDue() {
        return !isRunning() && state.dirtyBytes() >= settings.dueBytes();
    }

    /**
     * Returns true if there is state to write, log to trim, or a record that would leave the next owner many epochs to
     * read.
     */
    public boolean isNeeded() {
        return checkpointer.isBehind()
                || state.isDirty()
                || state.lastTicket() > checkpointer.record().checkpoint().ticket();
    }

    /** Starts a round, unless one is in flight or there is no need. */
    public void start() {
        if (isRunning() || stopped || !isNeeded()) {
            return;
        }
        if (state.dirtyEntries() > largeEntries) {
            // It counts as running, so that no second round begins while this one waits for the strand.
            starting = true;
            loop.offload(this::begin);
        } else {
            begin();
        }
    }

    private void begin() {
        starting = false;
        if (stopped) {
            return;
        }
        // A stamp has no number for another round. The next epoch counts anew.
        if (rounds == Stamp.MAX_ROUND) {
            fail(new StoreException(
                    Outcome.REFUSED, "round " + rounds + " was the last of its epoch; a new epoch begins", null));
            return;
        }
        boolean staged = state.dirtyBytes() >= settings.stagedBytes();
        FlushRound round = state.takeRound();
        rounds++;
        // The round and the position in the log are taken together: no atom may come between, or the checkpoint would
        // skip it.
        running = new Running(
                round, log.sealedPosition(), new Stamp(checkpointer.record().epoch(), rounds), staged);
        // The log may be durable up to that position already, and then no later commit would start the writes.
        committed();
    }

    /** Notes that more of the log is durable: the round in flight may be waiting for that. */
    public void committed() {
        Running round = running;
        if (round != null && !round.writing && log.committedTicket() >= round.round.ticket()) {
            round.writing = true;
            round.writeMore();
        }
    }

    public void stop() {
        stopped = true;
    }

    private void fail(Throwable reason) {
        if (!stopped) {
            stopped = true;
            listener.onRoundFailed(reason);
        }
    }

    /** A round in flight. */
    private final class Running {

        private final FlushRound round;
        private final Checkpoint checkpoint;
        private final Stamp stamp;
        private final RoundRows rows;
        private final boolean staged;
        // Read after the row was sealed, which is an argument of the constructor, so the row that it seals is included.
        private final long logBytes = log.sealedBytes();
        private final long startMillis = loop.nowMillis();
        private int inFlight;
        private boolean sendScheduled;
        private boolean writing;

        Running(FlushRound round, Checkpoint checkpoint, Stamp stamp, boolean staged) {
            this.round = round;
            this.checkpoint = checkpoint;
            this.stamp = stamp;
            this.staged = staged;
            this.rows = new RoundRows(round, stored.keys(), stamp);
        }

        /**
         * Sends a piece, and the next one in another loop tick, so that requests are not delayed; continues when all
         * are durable.
         */
        void writeMore() {
            if (sendScheduled) {
                return;
            }
            List<CellWrite> piece =
                    inFlight < settings.piecesInFlight() ? rows.nextPiece(settings.pieceBytes()) : List.of();
            if (!piece.isEmpty()) {
                inFlight++;
                retry(
                        () -> staged
                                ? stored.store().stage(piece)
                                : stored.store().write(piece),
                        this::written);
                // A piece that becomes durable before the next tick must not send another one besides.
                sendScheduled = true;
                onLoop(() -> {
                    sendScheduled = false;
                    writeMore();
                });
            } else if (inFlight == 0) {
                // With nothing in flight an empty piece means that all pieces were sent, and not that enough are in
                // flight.
                if (staged) {
                    retry(stored.store()::sync, this::checkpoint);
                } else {
                    checkpoint();
                }
            }
        }

        private void written() {
            inFlight--;
            writeMore();
        }

        /**
         * Continues when the store has performed the operation. A refusal is retried; an unknown outcome ends the
         * epoch.
         */
        private void retry(Supplier<CompletableFuture<Void>> operation, Runnable next) {
            stored.calls().deliver(stored.calls().retry(operation, 1), (_, failure) -> proceed(failure, next));
        }

        private void checkpoint() {
            stored.calls()
                    .deliver(
                            checkpointer.advance(checkpoint, stamp.round()),
                            (_, failure) -> proceed(failure, () -> settle(0)));
        }

        private void proceed(@Nullable Throwable failure, Runnable next) {
            if (stopped) {
                return;
            }
            if (failure == null) {
                next.run();
            } else {
                fail(failure);
            }
        }

        /** Marks what was written as clean, a slice per loop tick, so that requests are not delayed. */
        private void settle(int from) {
            int to = Math.min(round.tasks().size(), from + MAX_SETTLED_PER_TASK);
            // A read that has begun by now may still return the older row; until it ends, the entries have to stay.
            state.tasksFlushed(round.tasks().subList(from, to), readIds.newest());
            if (to < round.tasks().size()) {
                onLoop(() -> settle(to));
            } else {
                settleRecords(0);
            }
        }

        private void settleRecords(int from) {
            int to = Math.min(round.records().size(), from + MAX_SETTLED_PER_TASK);
            state.recordsFlushed(round.records().subList(from, to));
            if (to < round.records().size()) {
                onLoop(() -> settleRecords(to));
            } else {
                state.roundCompleted();
                running = null;
                listener.onRoundCompleted(new Through(round, logBytes, loop.nowMillis() - startMillis));
            }
        }

        private void onLoop(Runnable more) {
            loop.execute(() -> {
                if (!stopped) {
                    more.run();
                }
            });
        }
    }
}
