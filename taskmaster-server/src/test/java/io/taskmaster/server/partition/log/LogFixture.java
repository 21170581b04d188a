package io.taskmaster.server.partition.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.partition.log.ownership.EpochOwnership;
import io.taskmaster.server.partition.log.ownership.OwnerCandidate;
import io.taskmaster.server.partition.log.row.LogKey;
import io.taskmaster.server.partition.log.row.LogRow;
import io.taskmaster.server.partition.log.row.LogRowCodec;
import io.taskmaster.server.partition.log.row.LogSettings;
import io.taskmaster.server.partition.log.row.LoggedAtom;
import io.taskmaster.server.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.AbstractThrowableAssert;

/** A partition on a fake store, and operations of its owners. */
final class LogFixture {

    static final int PARTITION = 3;

    /** Rows that hold two atoms of ten bytes, two of them in flight, so four fences. */
    static final LogSettings SETTINGS = new LogSettings(80, 2, 3, 100, 4);

    final FakeStore store = new FakeStore();
    final Turns tasks = new Turns();
    final RowsInFlight rows = new RowsInFlight(SETTINGS.maxRowsInFlight());
    private final Random random = new Random(1);

    /** A record of the notifications of a writer. */
    static final class Heard implements LogWriter.Listener {

        final List<Long> committed = new ArrayList<>();
        final List<Throwable> stopped = new ArrayList<>();

        @Override
        public void onCommitted(long ticket) {
            committed.add(ticket);
        }

        @Override
        public void onStopped(Throwable reason) {
            stopped.add(reason);
        }
    }

    /** Takes the partition over; replayed atoms are dropped. */
    EpochOwnership acquire() {
        return acquire(new ArrayList<>());
    }

    EpochOwnership acquire(List<LoggedAtom> replayed) {
        return done(startAcquire(store, replayed));
    }

    CompletableFuture<EpochOwnership> startAcquire(Store on, List<LoggedAtom> replayed) {
        return new Takeover(on, tasks, SETTINGS, random, PARTITION, OwnerCandidate.alone("node"), replayed::add).run();
    }

    LogWriter writer(EpochOwnership epochOwnership, LogWriter.Listener listener) {
        return new LogWriter(store, tasks, SETTINGS, rows, PARTITION, epochOwnership, listener);
    }

    Checkpointer checkpointer(EpochOwnership epochOwnership) {
        return new Checkpointer(store, tasks, SETTINGS, PARTITION, epochOwnership, () -> {});
    }

    /** Appends an atom of this many bytes. */
    static void append(LogWriter writer, long ticket, int bytes) {
        writer.append(ticket, atom(ticket, bytes));
    }

    static byte[] atom(long ticket, int bytes) {
        byte[] atom = new byte[bytes];
        new Random(ticket).nextBytes(atom);
        return atom;
    }

    static LoggedAtom logged(long ticket, int bytes) {
        return new LoggedAtom(ticket, Bytes.wrap(atom(ticket, bytes)));
    }

    <T> T done(CompletableFuture<T> future) {
        tasks.run();
        assertThat(future).isDone();
        return future.join();
    }

    AbstractThrowableAssert<?, ? extends Throwable> assertFails(CompletableFuture<?> future) {
        tasks.run();
        assertThat(future).isCompletedExceptionally();
        return assertThatThrownBy(future::join).cause();
    }

    /** Lets the n-th operation in flight land. */
    void complete(int index) {
        store.complete(store.inFlight.get(index));
        tasks.run();
    }

    /** Returns the log rows as {@code epoch|sequence}, fences with an F behind. */
    List<String> rows() {
        return store.log.entrySet().stream()
                .map(row -> {
                    LogKey key = LogKey.of(row.getKey());
                    boolean fence = LogRowCodec.decode(key, row.getValue()) instanceof LogRow.Fence;
                    return key.epoch() + "|" + key.sequence() + (fence ? "F" : "");
                })
                .toList();
    }
}
