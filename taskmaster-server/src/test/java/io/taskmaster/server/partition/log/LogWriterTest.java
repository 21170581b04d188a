package io.taskmaster.server.partition.log;

import static io.taskmaster.server.partition.log.LogFixture.append;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.partition.log.LogFixture.Heard;
import io.taskmaster.server.partition.log.ownership.Checkpoint;
import io.taskmaster.server.partition.log.ownership.DeposedException;
import io.taskmaster.server.partition.log.row.CorruptLogException;
import io.taskmaster.server.partition.log.row.LogKey;
import io.taskmaster.server.partition.log.row.LogRowCodec;
import io.taskmaster.server.partition.log.row.LoggedAtom;
import io.taskmaster.server.partition.log.row.Nonce;
import io.taskmaster.server.partition.log.row.RowBuffer;
import io.taskmaster.server.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class LogWriterTest {

    private final LogFixture log = new LogFixture();
    private final FakeStore store = log.store;
    private final Heard events = new Heard();
    private final LogWriter writer = log.writer(log.acquire(), events);

    private void takeAllPlaces() {
        for (int own = 0; own < LogFixture.SETTINGS.maxRowsInFlight(); own++) {
            assertThat(log.rows.tryAcquire(own)).isTrue();
        }
    }

    @BeforeEach
    void letOperationsWait() {
        store.prompt = false;
    }

    @Test
    void nothingGoesOutBeforeTheFlush() {
        append(writer, 1, 10);
        assertThat(store.inFlight).isEmpty();
        writer.flush();
        assertThat(store.inFlight).hasSize(1);
    }

    @Test
    void atomsOfOneTurnShareARow() {
        append(writer, 1, 10);
        append(writer, 2, 10);
        writer.flush();
        assertThat(store.inFlight).hasSize(1);
        log.complete(0);
        assertThat(events.committed).containsExactly(2L);
        assertThat(writer.isSettled()).isTrue();
    }

    @Test
    void whatGathersWhileAllRowsAreInFlightGoesOutWithTheNextCompletion() {
        for (long ticket = 1; ticket <= 4; ticket++) {
            append(writer, ticket, 10);
            writer.flush();
        }
        assertThat(store.inFlight).hasSize(2);
        log.complete(0);
        assertThat(store.inFlight).hasSize(2);
        log.complete(0);
        log.complete(0);
        assertThat(events.committed).containsExactly(1L, 2L, 4L);
    }

    @Test
    void whereAnotherLogHasAllThatMayBeInFlightOneRowGoesOutAndTheRestGathers() {
        takeAllPlaces();
        appendRows(1);
        append(writer, 2, 10);
        writer.flush();
        append(writer, 3, 10);
        writer.flush();
        assertThat(store.inFlight).hasSize(1);

        log.complete(0);
        assertThat(store.inFlight).as("one row, of two atoms").hasSize(1);
        log.complete(0);
        assertThat(events.committed).containsExactly(1L, 3L);
    }

    @Test
    void aWriterThatStopsLeavesItsPlacesToOthers() {
        appendRows(2);
        assertThat(log.rows.tryAcquire(1)).isFalse();
        writer.stop();
        assertThat(log.rows.tryAcquire(1)).isTrue();
        log.complete(0);
        assertThat(log.rows.tryAcquire(1)).isTrue();
        assertThat(log.rows.tryAcquire(1)).as("two places, not three").isFalse();
    }

    @Test
    void aRowCountsOnlyWhenAllBeforeItAreDurable() {
        appendRows(2);
        log.complete(1);
        assertThat(events.committed).isEmpty();
        assertThat(writer.isSettled()).isFalse();
        log.complete(0);
        assertThat(events.committed).containsExactly(2L);
    }

    @Test
    void rowsBehindAMissingOneDoNotRunAhead() {
        appendRows(4);
        log.complete(1);
        assertThat(store.inFlight).as("the window starts at the missing row").hasSize(1);
    }

    @Test
    void aLargeAtomSpansRowsAndCountsWithItsLast() {
        append(writer, 1, 10);
        append(writer, 2, 100);
        append(writer, 3, 10);
        writer.flush();
        log.complete(0);
        log.complete(0);
        assertThat(events.committed).containsExactly(1L);
        settle();
        assertThat(events.committed.getLast()).isEqualTo(3);
        assertThat(replayed())
                .containsExactly(LogFixture.logged(1, 10), LogFixture.logged(2, 100), LogFixture.logged(3, 10));
    }

    @Test
    void noRowIsLargerThanTheLimitAndNoAtomIsLost() {
        List<LoggedAtom> appended = new ArrayList<>();
        for (int ticket = 1; ticket <= 200; ticket++) {
            append(writer, ticket, ticket);
            appended.add(LogFixture.logged(ticket, ticket));
        }
        append(writer, 201, 0);
        appended.add(LogFixture.logged(201, 0));
        writer.flush();
        settle();
        assertThat(store.log.values()).allSatisfy(row -> assertThat(row.size()).isLessThanOrEqualTo(80));
        assertThat(writer.uncommittedBytes()).isZero();
        assertThat(replayed()).isEqualTo(appended);
    }

    @Test
    void aCutKeepsLaterAtomsOutOfItsRows() {
        append(writer, 1, 10);
        assertThat(writer.sealedPosition()).isEqualTo(new Checkpoint(1, 1, 1));
        assertThat(writer.sealedPosition()).as("nothing new").isEqualTo(new Checkpoint(1, 1, 1));
        append(writer, 2, 10);
        writer.flush();
        assertThat(store.inFlight).hasSize(2);
        assertThat(writer.sealedPosition()).isEqualTo(new Checkpoint(1, 2, 2));
    }

    @Test
    void aLostReplyIsSettledByPuttingTheSameRowAgain() {
        append(writer, 1, 10);
        writer.flush();
        store.completeUnknown(store.inFlight.getFirst());
        log.tasks.run();
        log.complete(0);
        log.complete(0);
        assertThat(events.committed).containsExactly(1L);
        assertThat(events.stopped).isEmpty();
    }

    @Test
    void aRefusedRowIsPutAgainWithTheSameBytes() {
        append(writer, 1, 10);
        writer.flush();
        store.refuse(store.inFlight.getFirst());
        append(writer, 2, 10);
        log.tasks.run();
        log.complete(0);
        assertThat(events.committed).containsExactly(1L);
        assertThat(writer.isSettled()).isFalse();
    }

    @Test
    void aRowThatNobodyKnowsAboutStopsTheWriterAfterItsTries() {
        append(writer, 1, 10);
        writer.flush();
        for (int i = 0; i < 3; i++) {
            store.lose(store.inFlight.getFirst());
            log.tasks.run();
        }
        assertThat(store.inFlight).isEmpty();
        assertThat(events.stopped).singleElement().isInstanceOf(StoreException.class);
    }

    @Test
    void aWriterThatMeetsAFenceStopsOnceAndCommitsNothingMore() {
        appendRows(2);
        store.log.put(new LogKey(3, 1, 0).row(), LogRowCodec.fence(new LogKey(3, 1, 0), new Nonce(7, 7)));
        log.complete(1);
        log.complete(0);
        log.complete(0);
        append(writer, 3, 10);
        writer.flush();
        assertThat(store.inFlight).isEmpty();
        assertThat(events.committed).isEmpty();
        assertThat(events.stopped)
                .singleElement()
                .isInstanceOf(DeposedException.class)
                .extracting(Throwable::getMessage)
                .asString()
                .contains("log row 3|1|0 is fenced by 0000000000000007");
    }

    @Test
    void aForeignRowIsCorruption() {
        append(writer, 1, 10);
        writer.flush();
        LogKey key = new LogKey(3, 1, 0);
        RowBuffer foreign = new RowBuffer(new Nonce(7, 7), 100);
        foreign.add(1, new byte[3], 0, 3);
        store.log.put(key.row(), foreign.seal(key));
        log.complete(0);
        log.complete(0);
        assertThat(events.stopped).singleElement().isInstanceOf(CorruptLogException.class);
    }

    @Test
    void aRowThatWasTrimmedByASuccessorStopsTheWriter() {
        append(writer, 1, 10);
        writer.flush();
        Bytes key = new LogKey(3, 1, 0).row();
        store.log.put(key, Bytes.of("anything"));
        log.complete(0);
        store.log.remove(key);
        log.complete(0);
        assertThat(events.stopped).singleElement().isInstanceOf(DeposedException.class);
    }

    @Test
    void aWriterThatWasStoppedTellsNobody() {
        append(writer, 1, 10);
        writer.flush();
        writer.stop();
        log.complete(0);
        assertThat(events.committed).isEmpty();
        assertThat(events.stopped).isEmpty();
    }

    @Test
    void whatTheListenerThrowsStopsTheWriter() {
        IllegalStateException broken = new IllegalStateException("broken");
        Heard second = new Heard();
        LogWriter.Listener throwing = new LogWriter.Listener() {
            @Override
            public void onCommitted(long ticket) {
                throw broken;
            }

            @Override
            public void onStopped(Throwable reason) {
                second.onStopped(reason);
            }
        };
        store.prompt = true;
        LogWriter other = log.writer(log.acquire(), throwing);
        append(other, 1, 10);
        other.flush();
        log.tasks.run();
        assertThat(second.stopped).containsExactly(broken);
    }

    @Test
    void ticketsRise() {
        append(writer, 5, 10);
        assertThatThrownBy(() -> append(writer, 5, 10)).isInstanceOf(IllegalArgumentException.class);
    }

    /** Appends tickets 1 to {@code count}, each in a row of its own. */
    private void appendRows(int count) {
        for (long ticket = 1; ticket <= count; ticket++) {
            append(writer, ticket, 10);
            var _ = writer.sealedPosition();
        }
        writer.flush();
    }

    private void settle() {
        while (!store.inFlight.isEmpty()) {
            log.complete(0);
        }
        assertThat(writer.isSettled()).isTrue();
    }

    private List<LoggedAtom> replayed() {
        store.prompt = true;
        List<LoggedAtom> replayed = new ArrayList<>();
        log.acquire(replayed);
        return replayed;
    }
}
