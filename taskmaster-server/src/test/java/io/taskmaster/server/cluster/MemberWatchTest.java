package io.taskmaster.server.cluster;

import static io.taskmaster.server.cluster.MembershipTest.profile;
import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.model.Bytes;
import io.taskmaster.placement.ClusterMember;
import io.taskmaster.placement.ClusterMember.State;
import io.taskmaster.server.cluster.UnsteadyStore.Fate;
import io.taskmaster.server.partition.calls.StoreCalls;
import io.taskmaster.server.partition.loop.TurnedLoop;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.RowRange;
import io.taskmaster.server.store.Table;
import io.taskmaster.server.store.memory.MemoryStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of the watcher of members: who is dead, and what does not make a node dead. */
final class MemberWatchTest {

    private static final long LOOK_MILLIS = 1_000;
    private static final long PATIENCE_MILLIS = WatchedMember.DEAD_AFTER_LOOKS * LOOK_MILLIS;

    private final MemoryStore memory = new MemoryStore();
    private final TurnedLoop loop = new TurnedLoop();
    private final UnsteadyStore store = new UnsteadyStore(memory, loop);
    private final UnsteadyStore watchers = new UnsteadyStore(memory, loop);
    private List<WatchedMember> seen = List.of();
    private int looks;
    private final MemberWatch watch = new MemberWatch(watchers, loop, LOOK_MILLIS, members -> {
        seen = members;
        looks++;
    });

    @Test
    void membersThatBeatAreAliveInTheirStates() {
        joined("a", 1).serve();
        joined("b", 2).leave();
        joined("c", 3);
        watch.start();
        loop.pass(10 * PATIENCE_MILLIS);

        assertThat(states()).containsExactly(State.SERVING, State.LEAVING, State.JOINING);
        assertThat(seen.getFirst().record().profile()).isEqualTo(profile("a", 1));
        assertThat(seen.getFirst().toClusterMember(LOOK_MILLIS).inState())
                .isEqualTo(Duration.ofMillis(10 * PATIENCE_MILLIS));
    }

    @Test
    void aMemberIsDeadAfterEightLooksWithoutABeatAndNotBefore() {
        joined("a", 1).abandon();
        watch.start();
        loop.pass(PATIENCE_MILLIS - 1);
        assertThat(states()).containsExactly(State.JOINING);
        loop.pass(1);

        ClusterMember dead = seen.getFirst().toClusterMember(LOOK_MILLIS);
        assertThat(dead.state()).isEqualTo(State.DEAD);
        assertThat(dead.inState()).isEqualTo(Duration.ofMillis(PATIENCE_MILLIS));
    }

    @Test
    void aDeadMemberThatBeatsAgainIsAliveAndNew() {
        Membership paused = joined("a", 1);
        paused.serve();
        loop.tick();
        store.all(Fate.LOST);
        watch.start();
        loop.pass(5 * PATIENCE_MILLIS);
        assertThat(states()).containsExactly(State.DEAD);
        store.all(Fate.DONE);
        loop.pass(PATIENCE_MILLIS);

        ClusterMember back = seen.getFirst().toClusterMember(LOOK_MILLIS);
        assertThat(back.state()).isEqualTo(State.SERVING);
        assertThat(back.inState()).isLessThan(Duration.ofMillis(PATIENCE_MILLIS));
    }

    @Test
    void aNewProcessOfADeadMemberIsAlive() {
        joined("a", 1).abandon();
        watch.start();
        loop.pass(2 * PATIENCE_MILLIS);
        joined("a", 2);
        loop.pass(LOOK_MILLIS);

        assertThat(states()).containsExactly(State.JOINING);
        assertThat(seen.getFirst().record().profile()).isEqualTo(profile("a", 2));
        assertThat(seen.getFirst().silentLooks()).isZero();
    }

    @Test
    void aMemberThatStoppedIsNotDead() {
        var _ = joined("a", 1).stop();
        watch.start();
        loop.pass(10 * PATIENCE_MILLIS);

        assertThat(states()).containsExactly(State.STOPPED);
    }

    @ParameterizedTest
    @EnumSource(
            value = Fate.class,
            names = {"REFUSED", "LOST", "UNHEARD"})
    void looksThatFailCountNothingAndResetNothing(Fate fate) {
        joined("a", 1).abandon();
        watch.start();
        loop.pass(5 * LOOK_MILLIS);
        assertThat(seen.getFirst().silentLooks()).isEqualTo(5);
        watchers.all(fate);
        loop.pass(10 * PATIENCE_MILLIS);
        assertThat(looks).isEqualTo(6);
        assertThat(states()).containsExactly(State.JOINING);
        watchers.all(Fate.DONE);
        loop.pass(3 * LOOK_MILLIS);

        assertThat(states()).containsExactly(State.DEAD);
        assertThat(seen.getFirst().silentLooks()).isEqualTo(8);
    }

    @Test
    void aLookThatHangsCountsOnce() {
        joined("a", 1).abandon();
        watch.start();
        loop.tick();
        watchers.next(Fate.HELD);
        loop.pass(10 * PATIENCE_MILLIS);
        watchers.land();
        loop.tick();

        assertThat(seen.getFirst().silentLooks()).isEqualTo(1);
        loop.pass(LOOK_MILLIS - 1);
        assertThat(seen.getFirst().silentLooks()).isEqualTo(1);
    }

    @Test
    void aWatcherThatWasPausedDoesNotCountThePause() {
        joined("a", 1).abandon();
        watch.start();
        loop.tick();
        loop.jump(10 * PATIENCE_MILLIS);
        loop.tick();

        assertThat(seen.getFirst().silentLooks()).isEqualTo(1);
    }

    @Test
    void aMemberThatCannotBeReadStaysAsItWasAndTheOthersCount() {
        joined("a", 1).abandon();
        joined("b", 2).abandon();
        watch.start();
        loop.tick();
        Optional<Bytes> before =
                memory.read(List.of(ClusterRows.member("a"))).join().getFirst().map(Cell::value);
        memory.compareAndSet(ClusterRows.member("a"), before, Bytes.wrap(new byte[] {2, 9}))
                .join();
        memory.putIfAbsent(ClusterRows.member("c"), Bytes.wrap(new byte[] {2, 9}))
                .join();
        loop.pass(2 * PATIENCE_MILLIS);

        assertThat(states()).containsExactly(State.JOINING, State.DEAD);
    }

    @Test
    void aMemberWhoseCellIsGoneIsNoMember() {
        joined("a", 1).abandon();
        joined("b", 2);
        watch.start();
        loop.tick();
        memory.deleteRange(new RowRange(
                        Table.META,
                        ClusterRows.member("a").row(),
                        ClusterRows.member("b").row()))
                .join();
        loop.pass(LOOK_MILLIS);

        assertThat(seen)
                .extracting(member -> member.record().profile().node().id())
                .containsExactly("b");
    }

    @Test
    void aWatchThatWasClosedLooksNoMore() {
        watch.start();
        loop.pass(3 * LOOK_MILLIS);
        watch.close();
        loop.pass(PATIENCE_MILLIS);

        assertThat(looks).isEqualTo(4);
    }

    @Test
    void otherRowsOfThePartitionAreNoMembers() {
        joined("a", 1);
        MapCell map = new MapCell(memory, new StoreCalls(loop, 1));
        var _ = map.publish(Optional.empty(), MapCellTest.map(1, profile("a", 1).node(), 1));
        LoadCells loads = new LoadCells(memory, new StoreCalls(loop, 1));
        var _ = loads.put(new LoadReport(profile("z", 1).node(), 1, List.of()));
        watch.start();
        loop.pass(LOOK_MILLIS);

        assertThat(seen).hasSize(1);
    }

    private List<State> states() {
        return seen.stream()
                .map(member -> member.toClusterMember(LOOK_MILLIS).state())
                .toList();
    }

    private Membership joined(String id, long incarnation) {
        CompletableFuture<Membership> joining =
                new Joining(store, loop, MembershipTest.BEAT_MILLIS, profile(id, incarnation)).run();
        loop.tick();
        assertThat(joining).isCompleted();
        return joining.join();
    }
}
