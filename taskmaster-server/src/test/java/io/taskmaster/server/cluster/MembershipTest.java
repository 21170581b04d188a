package io.taskmaster.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.model.Bytes;
import io.taskmaster.placement.ClusterMember.State;
import io.taskmaster.placement.NodeCapacity;
import io.taskmaster.placement.NodeRef;
import io.taskmaster.server.bytes.CorruptRecordException;
import io.taskmaster.server.cluster.UnsteadyStore.Fate;
import io.taskmaster.server.partition.log.ownership.DeposedException;
import io.taskmaster.server.partition.loop.TurnedLoop;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of a node's member cell, with one process and with several of one id. */
final class MembershipTest {

    static final long BEAT_MILLIS = 1_000;
    private static final long A_WHILE_MILLIS = 60_000;
    private static final CellKey KEY = ClusterRows.member("a");

    private final MemoryStore memory = new MemoryStore();
    private final TurnedLoop loop = new TurnedLoop();
    private final UnsteadyStore store = new UnsteadyStore(memory, loop);
    private final UnsteadyStore otherStore = new UnsteadyStore(memory, loop);

    @Test
    void aProcessJoinsAndBeatsEverySecond() {
        Membership membership = joined(1);
        assertThat(stored()).isEqualTo(new MemberRecord(profile("a", 1), State.JOINING, 0));
        loop.pass(5 * BEAT_MILLIS);

        assertThat(stored()).isEqualTo(new MemberRecord(profile("a", 1), State.JOINING, 5));
        assertThat(membership.record()).isEqualTo(stored());
        assertThat(membership.superseded()).isNotDone();
    }

    @Test
    void aNewStateIsStoredAtOnceAndTheBeatGoesOn() {
        Membership membership = joined(1);
        membership.serve();
        loop.tick();
        assertThat(stored().state()).isEqualTo(State.SERVING);
        membership.leave();
        loop.tick();
        assertThat(stored()).isEqualTo(new MemberRecord(profile("a", 1), State.LEAVING, 2));
        loop.pass(3 * BEAT_MILLIS);

        assertThat(stored().beat()).isEqualTo(5);
    }

    @Test
    void aStateThatComesDuringABeatIsStoredAfterIt() {
        Membership membership = joined(1);
        store.next(Fate.HELD);
        loop.pass(BEAT_MILLIS);
        membership.serve();
        loop.pass(3 * BEAT_MILLIS);
        assertThat(stored().beat()).isZero();
        store.land();
        loop.tick();

        assertThat(stored()).isEqualTo(new MemberRecord(profile("a", 1), State.SERVING, 2));
    }

    @Test
    void aMemberThatLeavesDoesNotServeAgain() {
        Membership membership = joined(1);
        membership.leave();
        membership.serve();
        loop.pass(BEAT_MILLIS);

        assertThat(stored().state()).isEqualTo(State.LEAVING);
    }

    @Test
    void aMemberThatStoppedBeatsNoMore() {
        Membership membership = joined(1);
        CompletableFuture<Void> stopped = membership.stop();
        loop.pass(A_WHILE_MILLIS);

        assertThat(stopped).isCompleted();
        assertThat(stored()).isEqualTo(new MemberRecord(profile("a", 1), State.STOPPED, 1));
        assertThat(membership.superseded()).isNotDone();
    }

    @Test
    void aMemberThatFallsSilentLeavesItsCellAsItIs() {
        Membership membership = joined(1);
        membership.abandon();
        loop.pass(A_WHILE_MILLIS);

        assertThat(stored().beat()).isZero();
    }

    @Test
    void theLaterOfTwoProcessesSupersedesTheEarlier() {
        Membership earlier = joined(1);
        earlier.serve();
        loop.pass(5 * BEAT_MILLIS);
        Membership later = joined(2);

        assertThat(stored().profile()).isEqualTo(profile("a", 2));
        assertThat(stored().state()).isEqualTo(State.JOINING);
        loop.pass(A_WHILE_MILLIS);
        assertThat(earlier.superseded())
                .isCompletedWithValueMatching(reason -> reason instanceof DeposedException
                        && String.valueOf(reason.getMessage())
                                .contains("a#0000000000000001 is superseded by a#0000000000000002"));
        assertThat(later.superseded()).isNotDone();
        assertThat(stored().profile()).isEqualTo(profile("a", 2));
    }

    @Test
    void beatsGoOnRisingFromOneProcessToTheNext() {
        joined(1);
        loop.pass(5 * BEAT_MILLIS);
        joined(2);

        assertThat(stored().beat()).isEqualTo(6);
    }

    @Test
    void aBeatOfThePredecessorThatComesLateDoesNotKeepItAlive() {
        joined(1).abandon();
        MemberRecord predecessor = stored();
        otherStore.next(Fate.DONE, Fate.HELD);
        CompletableFuture<Membership> joining = join(otherStore, 2);
        loop.tick();
        replace(predecessor.next(State.SERVING));
        otherStore.land();
        loop.pass(A_WHILE_MILLIS);

        assertThat(joining).isCompleted();
        assertThat(joining.join().superseded()).isNotDone();
        assertThat(stored().profile()).isEqualTo(profile("a", 2));
    }

    @Test
    void ofTwoProcessesThatStartTogetherTheFirstKeepsTheCell() {
        store.next(Fate.DONE, Fate.HELD);
        CompletableFuture<Membership> slow = join(store, 1);
        CompletableFuture<Membership> fast = join(otherStore, 2);
        loop.pass(BEAT_MILLIS);
        store.land();
        loop.pass(A_WHILE_MILLIS);

        assertThat(fast).isCompleted();
        assertThatThrownBy(slow::join).cause().isInstanceOf(DeposedException.class);
        assertThat(fast.join().superseded()).isNotDone();
    }

    @ParameterizedTest
    @EnumSource(
            value = Fate.class,
            names = {"REFUSED", "LOST", "UNHEARD", "LATE"})
    void aStoreThatIsAwayForAWhileSupersedesNobody(Fate fate) {
        Membership membership = joined(1);
        membership.serve();
        loop.pass(3 * BEAT_MILLIS);
        store.all(fate);
        loop.pass(A_WHILE_MILLIS);
        assertThat(membership.superseded()).isNotDone();
        store.all(Fate.DONE);
        loop.pass(A_WHILE_MILLIS);
        long beat = stored().beat();
        loop.pass(BEAT_MILLIS);

        assertThat(membership.superseded()).isNotDone();
        assertThat(stored()).isEqualTo(new MemberRecord(profile("a", 1), State.SERVING, beat + 1));
    }

    @Test
    void aProcessThatCouldNotJoinMayTryAgain() {
        store.next(Fate.DONE);
        store.all(Fate.UNHEARD);
        CompletableFuture<Membership> failed = join(store, 1);
        loop.pass(A_WHILE_MILLIS);
        assertThatThrownBy(failed::join).cause().isInstanceOf(StoreException.class);
        assertThat(stored().profile()).isEqualTo(profile("a", 1));
        store.all(Fate.DONE);

        assertThat(joined(1).superseded()).isNotDone();
    }

    @Test
    void aCellOfALaterVersionIsNotTouched() {
        Bytes later = Bytes.wrap(new byte[] {2, 9});
        memory.putIfAbsent(KEY, later).join();
        CompletableFuture<Membership> joining = join(store, 1);
        loop.pass(A_WHILE_MILLIS);

        assertThatThrownBy(joining::join).cause().isInstanceOf(CorruptRecordException.class);
        assertThat(memory.read(List.of(KEY)).join().getFirst().map(Cell::value)).contains(later);
    }

    /** Starts processes of one id one after the other over stores that fail in all ways; the last one must remain. */
    @Test
    void ofManyProcessesOfOneIdTheLastRemainsWhateverTheStoreDoes() {
        for (int seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            List<CompletableFuture<Membership>> processes = new ArrayList<>();
            List<UnsteadyStore> stores = new ArrayList<>();
            for (int incarnation = 1; incarnation <= 4; incarnation++) {
                UnsteadyStore unsteady = new UnsteadyStore(memory, loop);
                unsteady.anyFate(random);
                stores.add(unsteady);
                processes.add(join(unsteady, 100L * seed + incarnation));
                loop.pass(random.nextInt(20_000));
            }
            stores.forEach(unsteady -> unsteady.all(Fate.DONE));
            loop.pass(A_WHILE_MILLIS);

            long holder = stored().profile().node().incarnation();
            assertThat(processes.stream()
                            .filter(process -> process.isDone() && !process.isCompletedExceptionally())
                            .map(CompletableFuture::join)
                            .filter(process -> !process.superseded().isDone())
                            .map(process -> process.record().profile().node().incarnation()))
                    .as("seed %d: processes that are not superseded", seed)
                    .isSubsetOf(holder)
                    .hasSizeLessThanOrEqualTo(1);
        }
    }

    private Membership joined(long incarnation) {
        CompletableFuture<Membership> joining = join(store, incarnation);
        loop.tick();
        assertThat(joining).isCompleted();
        return joining.join();
    }

    private CompletableFuture<Membership> join(UnsteadyStore over, long incarnation) {
        return new Joining(over, loop, BEAT_MILLIS, profile("a", incarnation)).run();
    }

    private MemberRecord stored() {
        Optional<Cell> cell = memory.read(List.of(KEY)).join().getFirst();
        return MemberCodec.decode("a", cell.orElseThrow().value());
    }

    private void replace(MemberRecord next) {
        assertThat(memory.compareAndSet(KEY, Optional.of(MemberCodec.encode(stored())), MemberCodec.encode(next))
                        .join())
                .isTrue();
    }

    static MemberProfile profile(String id, long incarnation) {
        return new MemberProfile(
                new NodeRef(id, incarnation, id + ":7400"),
                id + ":8080",
                new FormatLevels(1, 1),
                "1.0",
                NodeCapacity.unlimited());
    }
}
