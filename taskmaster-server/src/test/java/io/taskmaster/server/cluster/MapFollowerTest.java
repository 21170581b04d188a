package io.taskmaster.server.cluster;

import static io.taskmaster.server.cluster.MapCellTest.map;
import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.model.Bytes;
import io.taskmaster.placement.NodeRef;
import io.taskmaster.server.cluster.UnsteadyStore.Fate;
import io.taskmaster.server.partition.calls.StoreCalls;
import io.taskmaster.server.partition.loop.TurnedLoop;
import io.taskmaster.server.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests of a node's copy of the map. */
final class MapFollowerTest {

    private static final NodeRef A = new NodeRef("a", 1, "a:1");
    private static final long LOOK_MILLIS = 1_000;
    private static final long A_WHILE_MILLIS = 60_000;

    private final MemoryStore memory = new MemoryStore();
    private final TurnedLoop loop = new TurnedLoop();
    private final UnsteadyStore store = new UnsteadyStore(memory, loop);
    private final MapCell controller = new MapCell(memory, new StoreCalls(loop, 3));
    private final List<PublishedMap> heard = new ArrayList<>();
    private final MapFollower follower =
            new MapFollower(new MapCell(store, new StoreCalls(loop, 1)), loop, LOOK_MILLIS, heard::add);

    @Test
    void aCopyFollowsTheMapWithinASecond() {
        follower.start();
        loop.pass(3 * LOOK_MILLIS);
        assertThat(follower.current()).isEmpty();
        publish(5);
        loop.pass(LOOK_MILLIS);
        assertThat(follower.current()).contains(map(5, A, 1));
        publish(6);
        publish(7);
        loop.pass(LOOK_MILLIS);

        assertThat(heard).containsExactly(map(5, A, 1), map(7, A, 1));
        loop.pass(A_WHILE_MILLIS);
        assertThat(heard).hasSize(2);
    }

    @Test
    void aHintMakesItLookAtOnce() {
        publish(5);
        follower.start();
        loop.tick();
        publish(6);
        follower.hint(6);
        loop.tick();

        assertThat(follower.current()).contains(map(6, A, 1));
    }

    @Test
    void aHintDuringALookIsNotForgotten() {
        publish(5);
        follower.start();
        loop.tick();
        publish(6);
        store.next(Fate.DONE, Fate.HELD);
        loop.pass(LOOK_MILLIS);
        publish(7);
        follower.hint(7);
        loop.tick();
        assertThat(follower.current()).contains(map(5, A, 1));
        store.land();
        loop.tick();

        assertThat(heard).containsExactly(map(5, A, 1), map(6, A, 1), map(7, A, 1));
    }

    @Test
    void hintsOfOldVersionsCostNoLooks() {
        publish(5);
        follower.start();
        loop.tick();
        store.next(Fate.LOST);
        follower.hint(5);
        follower.hint(4);
        loop.tick();
        publish(6);
        follower.hint(6);
        loop.tick();

        // The fate that was planned met the look of the last hint, so those before made none.
        assertThat(follower.current()).contains(map(5, A, 1));
    }

    @Test
    void aHintOfAMapThatDoesNotExistCostsOneLookAndTheTimerGoesOn() {
        publish(5);
        follower.start();
        loop.tick();
        for (int i = 0; i < 100; i++) {
            follower.hint(1_000 + i);
            loop.tick();
        }
        long before = loop.ticks();
        loop.pass(10 * LOOK_MILLIS);

        assertThat(loop.ticks() - before).isLessThan(400);
        publish(6);
        loop.pass(LOOK_MILLIS);
        assertThat(follower.current()).contains(map(6, A, 1));
    }

    @Test
    void aCopyStaysWhileTheStoreIsAway() {
        publish(5);
        follower.start();
        loop.tick();
        publish(6);
        store.all(Fate.LOST);
        loop.pass(A_WHILE_MILLIS);
        assertThat(follower.current()).contains(map(5, A, 1));
        store.all(Fate.DONE);
        loop.pass(LOOK_MILLIS);

        assertThat(follower.current()).contains(map(6, A, 1));
    }

    @Test
    void aCopyStaysWhileTheMapIsDamagedOrOfALaterFormat() {
        publish(5);
        follower.start();
        loop.tick();
        publish(6);
        memory.deleteRange(ClusterRows.mapBodies(6, 7)).join();
        loop.pass(3 * LOOK_MILLIS);
        assertThat(follower.current()).contains(map(5, A, 1));
        memory.putIfAbsent(ClusterRows.mapBody(6), Bytes.wrap(new byte[] {2, 9}))
                .join();
        loop.pass(3 * LOOK_MILLIS);

        assertThat(follower.current()).contains(map(5, A, 1));
    }

    @Test
    void aCopyDoesNotGoBackWithTheStore() {
        publish(5);
        publish(6);
        follower.start();
        loop.tick();
        Bytes old = MapCodec.encodeHead(
                MapHead.of(5, MapCodec.encodeBody(map(5, A, 1).map()), 1));
        Bytes now = MapCodec.encodeHead(
                MapHead.of(6, MapCodec.encodeBody(map(6, A, 1).map()), 1));
        assertThat(memory.compareAndSet(ClusterRows.mapHead(), Optional.of(now), old)
                        .join())
                .isTrue();
        follower.hint(7);
        loop.pass(A_WHILE_MILLIS);

        assertThat(follower.current()).contains(map(6, A, 1));
        assertThat(heard).containsExactly(map(6, A, 1));
    }

    @Test
    void aLookThatIsOvertakenDoesNotSetTheCopyBack() {
        publish(5);
        store.next(Fate.DONE, Fate.HELD);
        follower.start();
        loop.tick();
        publish(6);
        store.land();
        loop.pass(LOOK_MILLIS);

        assertThat(heard).isSortedAccordingTo(Comparator.comparingLong(PublishedMap::version));
        assertThat(follower.current()).contains(map(6, A, 1));
    }

    @Test
    void aFailureOfTheListenerDoesNotEndTheLooks() {
        List<Long> versions = new ArrayList<>();
        MapFollower failing = new MapFollower(controller, loop, LOOK_MILLIS, map -> {
            versions.add(map.version());
            throw new IllegalStateException("planned");
        });
        publish(5);
        failing.start();
        passDespiteFailures();
        publish(6);
        passDespiteFailures();

        assertThat(versions).containsExactly(5L, 6L);
    }

    private void passDespiteFailures() {
        for (int i = 0; i < 3; i++) {
            try {
                loop.pass(LOOK_MILLIS);
            } catch (IllegalStateException planned) {
                // The real executor goes on after a failure; so does this loop.
            }
        }
    }

    @Test
    void aFollowerThatWasClosedTakesNoMoreMaps() {
        publish(5);
        follower.start();
        loop.tick();
        follower.close();
        publish(6);
        follower.hint(6);
        loop.pass(A_WHILE_MILLIS);

        assertThat(heard).containsExactly(map(5, A, 1));
    }

    @Test
    void copiesNeverGoBackWhateverTheStoreDoes() {
        store.anyFate(new Random(1));
        follower.start();
        Random random = new Random(2);
        for (long version = 1; version < 300; version++) {
            publish(version);
            loop.pass(random.nextInt(500));
            follower.hint(random.nextLong(version + 3));
        }
        store.all(Fate.DONE);
        loop.pass(A_WHILE_MILLIS);

        assertThat(heard)
                .hasSizeGreaterThan(5)
                .extracting(PublishedMap::version)
                .doesNotHaveDuplicates()
                .isSorted()
                .endsWith(299L);
    }

    private void publish(long version) {
        CompletableFuture<Boolean> published =
                controller.read().thenCompose(before -> controller.publish(before, map(version, A, 1)));
        loop.tick();
        assertThat(published).isCompletedWithValue(true);
    }
}
