package io.taskmaster.server.partition.log;

import static io.taskmaster.server.partition.log.LogFixture.append;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.server.partition.log.LogFixture.Heard;
import io.taskmaster.server.partition.log.ownership.Checkpoint;
import io.taskmaster.server.partition.log.ownership.DeposedException;
import io.taskmaster.server.partition.log.ownership.EpochOwnership;
import io.taskmaster.server.partition.log.ownership.PartitionRecord;
import io.taskmaster.server.partition.log.ownership.PartitionRecordCodec;
import io.taskmaster.server.partition.log.row.LogKey;
import io.taskmaster.server.partition.log.row.LogRowCodec;
import io.taskmaster.server.partition.log.row.LoggedAtom;
import io.taskmaster.server.partition.log.row.Nonce;
import io.taskmaster.server.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class CheckpointerTest {

    private final LogFixture log = new LogFixture();
    private final FakeStore store = log.store;

    @Test
    void replayStartsAtTheCheckpoint() {
        EpochOwnership first = log.acquire();
        LogWriter writer = log.writer(first, new Heard());
        Checkpoint cut = write(writer, 1, 2);
        write(writer, 3);
        PartitionRecord record = log.done(log.checkpointer(first).advance(cut, 1));
        List<LoggedAtom> replayed = new ArrayList<>();
        EpochOwnership second = log.acquire(replayed);

        assertThat(record.checkpoint()).isEqualTo(new Checkpoint(1, 2, 2));
        assertThat(record.lastCompleteRound()).isEqualTo(1);
        assertThat(replayed).containsExactly(LogFixture.logged(3, 10));
        assertThat(second.lastTicket()).isEqualTo(3);
        assertThat(second.record().endedRounds().unclean()).containsEntry(1L, 1L);
    }

    @Test
    void ofWhatTheCheckpointPassedOnlyTheFirstFencesStay() {
        write(log.writer(log.acquire(), new Heard()), 1, 2);
        log.acquire();
        EpochOwnership third = log.acquire();
        LogWriter writer = log.writer(third, new Heard());
        Checkpoint cut = write(writer, 3);
        write(writer, 4);
        Checkpointer checkpointer = log.checkpointer(third);
        log.done(checkpointer.advance(cut, 1));

        assertThat(log.rows()).containsExactly("1|2F", "2|0F", "3|1");
        log.done(checkpointer.advance(writer.sealedPosition(), 2));
        assertThat(log.rows()).containsExactly("1|2F", "2|0F");
        assertThat(checkpointer.isSettled()).isTrue();
    }

    @Test
    void nothingIsTrimmedBeforeTheRecordIsStored() {
        EpochOwnership first = log.acquire();
        Checkpoint cut = write(log.writer(first, new Heard()), 1);
        store.prompt = false;
        Checkpointer checkpointer = log.checkpointer(first);
        CompletableFuture<PartitionRecord> stored = checkpointer.advance(cut, 1);
        assertThat(store.inFlight).singleElement().hasToString("compare and set partition record");
        assertThat(stored).isNotDone();
        log.complete(0);

        assertThat(stored).isDone();
        assertThat(checkpointer.isSettled()).isFalse();
        log.complete(0);
        assertThat(checkpointer.isSettled()).isTrue();
        assertThat(log.rows()).isEmpty();
    }

    @Test
    void aDeposedOwnerNeitherStoresNorTrims() {
        EpochOwnership first = log.acquire();
        Checkpoint cut = write(log.writer(first, new Heard()), 1);
        EpochOwnership second = log.acquire();
        List<String> before = log.rows();

        log.assertFails(log.checkpointer(first).advance(cut, 1))
                .isInstanceOf(DeposedException.class)
                .hasMessage("partition 3 is owned by node in epoch 2");
        assertThat(log.rows()).isEqualTo(before);
        assertThat(PartitionRecordCodec.decode(3, store.meta.firstEntry().getValue()))
                .isEqualTo(second.record());
    }

    @Test
    void aLostReplyIsSettledByReadingBack() {
        EpochOwnership first = log.acquire();
        Checkpoint cut = write(log.writer(first, new Heard()), 1);
        store.prompt = false;
        CompletableFuture<PartitionRecord> stored = log.checkpointer(first).advance(cut, 1);
        store.completeUnknown(store.inFlight.getFirst());
        log.tasks.run();
        log.complete(0);

        assertThat(log.done(stored).checkpoint()).isEqualTo(cut);
    }

    @Test
    void aCheckpointThatNobodyKnowsAboutEndsTheTenure() {
        EpochOwnership first = log.acquire();
        Checkpoint cut = write(log.writer(first, new Heard()), 1);
        store.prompt = false;
        Checkpointer checkpointer = log.checkpointer(first);
        CompletableFuture<PartitionRecord> stored = checkpointer.advance(cut, 1);
        while (!stored.isDone()) {
            store.lose(store.inFlight.getFirst());
            log.tasks.run();
            if (!stored.isDone()) {
                log.complete(0);
            }
        }

        log.assertFails(stored).isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> checkpointer.advance(cut, 2)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void whatCouldNotBeTrimmedGoesWithTheNextCheckpoint() {
        EpochOwnership first = log.acquire();
        LogWriter writer = log.writer(first, new Heard());
        Checkpointer checkpointer = log.checkpointer(first);
        Checkpoint cut = write(writer, 1);
        checkpointAndCrashBeforeTrim(checkpointer, cut);
        store.prompt = true;
        assertThat(checkpointer.isSettled()).isTrue();
        assertThat(log.rows()).containsExactly("1|0");
        cut = write(writer, 2);
        log.done(checkpointer.advance(cut, 2));

        assertThat(log.rows()).isEmpty();
    }

    @Test
    void whatAnEarlierOwnerLeftBehindIsSwept() {
        write(log.writer(log.acquire(), new Heard()), 1, 2);
        EpochOwnership second = log.acquire();
        LogKey another = new LogKey(LogFixture.PARTITION, 1, 3);
        store.log.put(another.row(), LogRowCodec.fence(another, second.record().nonce()));
        Checkpoint cut = write(log.writer(second, new Heard()), 3, 4);
        checkpointAndCrashBeforeTrim(log.checkpointer(second), cut);
        store.prompt = true;
        assertThat(log.rows()).contains("1|0", "1|1", "2|0", "2|1");
        EpochOwnership third = log.acquire();
        Checkpoint next = write(log.writer(third, new Heard()), 5);
        log.done(log.checkpointer(third).advance(next, 1));

        // It is not known any more which fence of the first epoch was the first, so all stay.
        assertThat(log.rows()).containsExactly("1|2F", "1|3F", "2|2F");
    }

    @Test
    void aFenceThatLandsLateInPlaceOfATrimmedRowDoesNotPassForTheFirst() {
        write(log.writer(log.acquire(), new Heard()), 1, 2);
        EpochOwnership second = log.acquire();
        log.done(log.checkpointer(second).advance(write(log.writer(second, new Heard()), 3), 1));
        assertThat(log.rows()).containsExactly("1|2F");
        LogKey late = new LogKey(3, 1, 1);
        store.log.put(late.row(), LogRowCodec.fence(late, new Nonce(7, 7)));
        EpochOwnership third = log.acquire();
        log.done(log.checkpointer(third).advance(write(log.writer(third, new Heard()), 4), 1));

        assertThat(log.rows()).containsExactly("1|1F", "1|2F", "2|1F");
    }

    /** Writes a checkpoint while every trim is refused until its tries are used up, then crashes. */
    private void checkpointAndCrashBeforeTrim(Checkpointer checkpointer, Checkpoint cut) {
        store.prompt = false;
        var _ = checkpointer.advance(cut, 1);
        log.complete(0);
        while (!store.inFlight.isEmpty()) {
            store.refuse(store.inFlight.getFirst());
            log.tasks.run();
        }
    }

    /** Writes atoms in rows of their own, and returns the end of the log. */
    private Checkpoint write(LogWriter writer, long... tickets) {
        for (long ticket : tickets) {
            append(writer, ticket, 10);
            var _ = writer.sealedPosition();
        }
        writer.flush();
        log.tasks.run();
        assertThat(writer.isSettled()).isTrue();
        return writer.sealedPosition();
    }
}
