package io.taskmaster.server.partition.log;

import static io.taskmaster.server.partition.log.LogFixture.append;
import static io.taskmaster.server.partition.log.LogFixture.logged;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.partition.log.FakeStore.Operation;
import io.taskmaster.server.partition.log.LogFixture.Heard;
import io.taskmaster.server.partition.log.ownership.DeposedException;
import io.taskmaster.server.partition.log.ownership.EpochOwnership;
import io.taskmaster.server.partition.log.ownership.NotAdmittedException;
import io.taskmaster.server.partition.log.ownership.OwnerCandidate;
import io.taskmaster.server.partition.log.row.CorruptLogException;
import io.taskmaster.server.partition.log.row.LogKey;
import io.taskmaster.server.partition.log.row.LoggedAtom;
import io.taskmaster.server.partition.log.row.Nonce;
import io.taskmaster.server.partition.log.row.RowBuffer;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class TakeoverTest {

    private final LogFixture log = new LogFixture();
    private final FakeStore store = log.store;
    private final List<LoggedAtom> replayed = new ArrayList<>();

    @Test
    void aFreshPartitionIsTakenWithoutAFence() {
        EpochOwnership epochOwnership = log.acquire(replayed);

        assertThat(epochOwnership.epoch()).isEqualTo(1);
        assertThat(epochOwnership.lastTicket()).isZero();
        assertThat(epochOwnership.endedAt()).isEmpty();
        assertThat(replayed).isEmpty();
        assertThat(log.rows()).isEmpty();
    }

    @Test
    void whoHasAnOlderMapThanTheLastOwnerTakesNothing() {
        done(takeover(new OwnerCandidate("new", 2)));
        List<String> rows = log.rows();

        log.assertFails(takeover(new OwnerCandidate("old", 1)))
                .isInstanceOf(NotAdmittedException.class)
                .hasMessageContaining("new");
        assertThat(log.rows()).isEqualTo(rows);
        assertThat(done(takeover(new OwnerCandidate("later", 3))).epoch()).isEqualTo(2);
    }

    @Test
    void aMapVersionHasOneOwnerWhichMayTakeOverFromItself() {
        done(takeover(new OwnerCandidate("node#1", 2)));

        log.assertFails(takeover(new OwnerCandidate("node#2", 2)))
                .isInstanceOf(NotAdmittedException.class)
                .hasMessageContaining("partition 3 is owned by node#1, by version 2 of the map");
        assertThat(done(takeover(new OwnerCandidate("node#1", 2))).epoch()).isEqualTo(2);
    }

    private CompletableFuture<EpochOwnership> takeover(OwnerCandidate ownerCandidate) {
        return new Takeover(
                        store,
                        log.tasks,
                        LogFixture.SETTINGS,
                        new Random(1),
                        LogFixture.PARTITION,
                        ownerCandidate,
                        _ -> {})
                .run();
    }

    private <T> T done(CompletableFuture<T> future) {
        return log.done(future);
    }

    @Test
    void aStoreThatIsDamagedIsNotAskedAgain() {
        write(log.acquire(), 1, 2, 3);
        FakeStore.Damaged forRecords = new FakeStore.Damaged(store, Table.META);
        FakeStore.Damaged forFences = new FakeStore.Damaged(store, Table.LOG);

        for (FakeStore.Damaged damaged : List.of(forRecords, forFences)) {
            log.assertFails(log.startAcquire(damaged, replayed))
                    .isInstanceOfSatisfying(
                            StoreException.class,
                            failure -> assertThat(failure.outcome()).isEqualTo(StoreException.Outcome.CORRUPT));
            assertThat(damaged.writes).isLessThanOrEqualTo(LogFixture.SETTINGS.fences());
        }
    }

    @Test
    void atomsAreReplayedInOrderFromAllEpochsAndEachIsFencedWhereItEnds() {
        write(log.acquire(), 1, 2, 3);
        log.acquire();
        write(log.acquire(), 4);
        EpochOwnership epochOwnership = log.acquire(replayed);

        assertThat(replayed).containsExactly(logged(1, 10), logged(2, 10), logged(3, 10), logged(4, 10));
        assertThat(epochOwnership.lastTicket()).isEqualTo(4);
        assertThat(epochOwnership.endedAt()).isEqualTo(Map.of(1L, 3L, 2L, 0L, 3L, 1L));
        assertThat(log.rows()).filteredOn(row -> row.endsWith("F")).containsExactly("1|3F", "2|0F", "3|1F");
    }

    @Test
    void rowsBehindAGapCountForNobody() {
        EpochOwnership first = log.acquire();
        write(first, 1, 2, 3);
        store.log.remove(new LogKey(3, 1, 1).row());
        log.acquire(replayed);

        assertThat(replayed).containsExactly(logged(1, 10));
        assertThat(log.rows()).contains("1|1F", "1|2");
        Heard replayed = new Heard();
        LogWriter zombie = log.writer(first, replayed);
        for (long ticket : new long[] {1, 2}) {
            append(zombie, ticket, 10);
            var _ = zombie.sealedPosition();
        }
        zombie.flush();
        log.tasks.run();
        assertThat(replayed.committed)
                .as("the row before the fence, the same bytes")
                .containsExactly(1L);
        assertThat(replayed.stopped).singleElement().isInstanceOf(DeposedException.class);
    }

    @Test
    void aRowThatLandsBeforeTheFenceIsReplayedAndItsWriterMeetsALotOfThem() {
        EpochOwnership first = log.acquire();
        store.prompt = false;
        LogWriter late = log.writer(first, new Heard());
        append(late, 1, 10);
        late.flush();
        Operation<?> row = store.inFlight.getFirst();
        CompletableFuture<EpochOwnership> second = log.startAcquire(store, replayed);
        while (!store.inFlight.getLast().name.startsWith("put log row 3|1|0")) {
            log.complete(1);
        }
        store.complete(row);
        while (!second.isDone()) {
            log.complete(0);
        }

        assertThat(replayed).containsExactly(logged(1, 10));
        assertThat(log.done(second).endedAt()).isEqualTo(Map.of(1L, 1L));
        assertThat(log.rows()).containsExactly("1|0", "1|1F", "1|2F", "1|3F", "1|4F");
    }

    @Test
    void anAtomWhoseEndNeverCameIsDropped() {
        EpochOwnership first = log.acquire();
        LogWriter writer = log.writer(first, new Heard());
        append(writer, 1, 10);
        append(writer, 2, 150);
        writer.flush();
        log.tasks.run();
        Bytes end = store.log.lastKey();
        store.log.remove(end);
        EpochOwnership second = log.acquire(replayed);

        assertThat(replayed).containsExactly(logged(1, 10));
        assertThat(second.lastTicket()).isEqualTo(1);
        write(second, 2);
        replayed.clear();
        log.acquire(replayed);
        assertThat(replayed).containsExactly(logged(1, 10), logged(2, 10));
    }

    @Test
    void aBrokenRowIsNeverTheEndOfTheLog() {
        write(log.acquire(), 1, 2, 3);
        Bytes key = new LogKey(3, 1, 1).row();
        byte[] row = requireNonNull(store.log.get(key)).toByteArray();
        row[row.length - 1]++;
        store.log.put(key, Bytes.wrap(row));

        log.assertFails(log.startAcquire(store, replayed))
                .isInstanceOf(CorruptLogException.class)
                .hasMessage("log row 3|1|1 is corrupt: its checksum does not match");
    }

    @Test
    void aRowOfAForeignWriterIsCorruption() {
        write(log.acquire(), 1);
        LogKey key = new LogKey(3, 1, 1);
        RowBuffer foreign = new RowBuffer(new Nonce(7, 7), 100);
        foreign.add(2, new byte[3], 0, 3);
        store.log.put(key.row(), foreign.seal(key));

        log.assertFails(log.startAcquire(store, replayed))
                .isInstanceOf(CorruptLogException.class)
                .hasMessageContaining("log row 3|1|1 is corrupt: its writer is");
    }

    @Test
    void aLostReplyOfTheClaimIsSettledByReadingTheNonceBack() {
        store.prompt = false;
        CompletableFuture<EpochOwnership> claim = log.startAcquire(store, replayed);
        log.complete(0);
        store.completeUnknown(store.inFlight.getFirst());
        log.tasks.run();
        log.complete(0);
        log.complete(0);

        assertThat(log.done(claim).epoch()).isEqualTo(1);
    }

    @Test
    void aLostClaimIsTriedAgain() {
        store.prompt = false;
        CompletableFuture<EpochOwnership> claim = log.startAcquire(store, replayed);
        log.complete(0);
        store.lose(store.inFlight.getFirst());
        log.tasks.run();
        log.complete(0);
        log.complete(0);
        log.complete(0);

        assertThat(log.done(claim).epoch()).isEqualTo(1);
    }

    @Test
    void ofTwoClaimsOneLoses() {
        store.prompt = false;
        CompletableFuture<EpochOwnership> slow = log.startAcquire(store, new ArrayList<>());
        log.complete(0);
        store.prompt = true;
        log.acquire();
        log.complete(0);

        log.assertFails(slow)
                .isInstanceOf(DeposedException.class)
                .hasMessage("partition 3 is owned by node in epoch 1");
    }

    @Test
    void whoIsDeposedWhileReadingDoesNotComeToServe() {
        write(log.acquire(), 1, 2);
        store.prompt = false;
        CompletableFuture<EpochOwnership> slow = log.startAcquire(store, new ArrayList<>());
        log.complete(0);
        log.complete(0);
        store.prompt = true;
        log.acquire();
        log.complete(0);

        log.assertFails(slow).isInstanceOf(DeposedException.class);
    }

    @Test
    void aStoreThatFailsAllTheTimeEndsTheTakeover() {
        write(log.acquire(), 1);
        store.prompt = false;
        CompletableFuture<EpochOwnership> claim = log.startAcquire(store, replayed);
        while (!claim.isDone()) {
            Operation<?> operation = store.inFlight.getFirst();
            if (operation.name.startsWith("put")) {
                store.refuse(operation);
            } else {
                store.complete(operation);
            }
            log.tasks.run();
        }

        log.assertFails(claim).isInstanceOf(StoreException.class).hasMessage("no fence could be put at log row 3|1|1");
    }

    /** Writes atoms in rows of their own. */
    private void write(EpochOwnership epochOwnership, long... tickets) {
        Heard replayed = new Heard();
        LogWriter writer = log.writer(epochOwnership, replayed);
        for (long ticket : tickets) {
            append(writer, ticket, 10);
            var _ = writer.sealedPosition();
        }
        writer.flush();
        log.tasks.run();
        assertThat(replayed.committed.getLast()).isEqualTo(tickets[tickets.length - 1]);
    }
}
