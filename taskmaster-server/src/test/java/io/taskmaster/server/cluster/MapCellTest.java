package io.taskmaster.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.model.Bytes;
import io.taskmaster.placement.MapEntry;
import io.taskmaster.placement.NodeRef;
import io.taskmaster.placement.PartitionMap;
import io.taskmaster.server.bytes.CorruptRecordException;
import io.taskmaster.server.bytes.LaterFormatException;
import io.taskmaster.server.cluster.UnsteadyStore.Fate;
import io.taskmaster.server.partition.calls.StoreCalls;
import io.taskmaster.server.partition.loop.TurnedLoop;
import io.taskmaster.server.store.Cell;
import io.taskmaster.server.store.CellKey;
import io.taskmaster.server.store.ScanLimit;
import io.taskmaster.server.store.StoreException;
import io.taskmaster.server.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of the map in the store, with one controller and with two. */
final class MapCellTest {

    private static final NodeRef A = new NodeRef("a", 1, "a:1");
    private static final NodeRef B = new NodeRef("b", 2, "b:1");
    private static final long A_WHILE_MILLIS = 60_000;

    private final MemoryStore memory = new MemoryStore();
    private final TurnedLoop loop = new TurnedLoop();
    private final UnsteadyStore one = new UnsteadyStore(memory, loop);
    private final UnsteadyStore other = new UnsteadyStore(memory, loop);
    private final MapCell controller = new MapCell(one, new StoreCalls(loop, 3));
    private final MapCell rival = new MapCell(other, new StoreCalls(loop, 3));

    @Test
    void thereIsNoMapAtFirst() {
        assertThat(done(controller.read())).isEmpty();
    }

    @Test
    void aPublishedMapIsReadByAll() {
        publish(5, 1);
        publish(6, 2);

        assertThat(done(rival.read())).contains(map(6, A, 2));
    }

    @Test
    void theVersionOfTheFirstMapIsFreeAndEachOtherFollowsTheOneBefore() {
        publish(5, 1);

        assertThatThrownBy(() -> controller.publish(Optional.of(map(5, A, 1)), map(7, A, 1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("7 (expected: 6)");
    }

    @ParameterizedTest
    @EnumSource(
            value = Fate.class,
            names = {"REFUSED", "LOST", "UNHEARD", "LATE"})
    void aFailureOfAnyCallOfAPublicationIsSettled(Fate fate) {
        publish(5, 1);
        for (int call = 0; call < 3; call++) {
            PublishedMap before = map(5 + call, A, 1);
            one.next(Collections.nCopies(call, Fate.DONE).toArray(Fate[]::new));
            one.next(fate);
            CompletableFuture<Boolean> published = controller.publish(Optional.of(before), map(6 + call, A, 1));
            loop.pass(A_WHILE_MILLIS);

            assertThat(published).isCompletedWithValue(true);
            assertThat(done(rival.read())).contains(map(6 + call, A, 1));
        }
    }

    @Test
    void ofTwoControllersAtOnceOneWinsAndTheOtherIsTold() {
        publish(5, 1);
        one.next(Fate.HELD);
        CompletableFuture<Boolean> first = controller.publish(Optional.of(map(5, A, 1)), map(6, A, 1));
        CompletableFuture<Boolean> second = rival.publish(Optional.of(map(5, A, 1)), map(6, B, 1));
        loop.pass(A_WHILE_MILLIS);
        one.land();
        loop.pass(A_WHILE_MILLIS);

        assertThat(second).isCompletedWithValue(true);
        assertThat(first).isCompletedWithValue(false);
        assertThat(done(controller.read())).contains(map(6, B, 1));
    }

    @Test
    void aControllerThatSawAnEarlierMapDoesNotSetItBack() {
        publish(5, 1);
        publish(6, 1);
        publish(7, 1);

        assertThat(done(rival.publish(Optional.of(map(5, A, 1)), map(6, B, 1)))).isFalse();
        assertThat(done(rival.publish(Optional.empty(), map(8, B, 1)))).isFalse();
        assertThat(done(controller.read())).contains(map(7, A, 1));
    }

    @Test
    void aMapWhoseControllerCrashedBetweenBodyAndHeadIsFinishedByTheNext() {
        publish(5, 1);
        one.next(Fate.DONE, Fate.HELD);
        CompletableFuture<Boolean> crashed = controller.publish(Optional.of(map(5, A, 1)), map(6, A, 9));
        loop.pass(A_WHILE_MILLIS);
        assertThat(done(rival.read())).contains(map(5, A, 1));

        assertThat(done(rival.publish(Optional.of(map(5, A, 1)), map(6, B, 1)))).isFalse();
        assertThat(done(rival.read())).contains(map(6, A, 1));
        assertThat(done(rival.publish(Optional.of(map(6, A, 1)), map(7, B, 1)))).isTrue();

        one.land();
        loop.pass(A_WHILE_MILLIS);
        assertThat(crashed).isCompletedWithValue(false);
        assertThat(done(rival.read())).contains(map(7, B, 1));
    }

    @Test
    void aControllerWhoseMapAnotherFinishedHasPublishedIt() {
        publish(5, 1);
        one.next(Fate.DONE, Fate.HELD);
        CompletableFuture<Boolean> slow = controller.publish(Optional.of(map(5, A, 1)), map(6, A, 1));
        loop.pass(A_WHILE_MILLIS);
        assertThat(done(rival.publish(Optional.of(map(5, A, 1)), map(6, B, 1)))).isFalse();

        one.land();
        loop.pass(A_WHILE_MILLIS);
        assertThat(slow).isCompletedWithValue(true);
    }

    @Test
    void aPublicationIntoAStoreThatIsAwayHasAnUnknownOutcome() {
        publish(5, 1);
        one.all(Fate.LOST);
        CompletableFuture<Boolean> published = controller.publish(Optional.of(map(5, A, 1)), map(6, A, 1));
        loop.pass(A_WHILE_MILLIS);

        assertThatThrownBy(published::join).cause().isInstanceOf(StoreException.class);
    }

    @Test
    void theLastSixteenBodiesAreKept() {
        for (long version = 5; version <= 30; version++) {
            publish(version, 1);
        }
        assertThat(bodies()).containsExactlyElementsOf(versions(15, 30));
    }

    @Test
    void bodiesThatCouldNotBeDeletedAreDeletedWithTheNextMap() {
        for (long version = 5; version <= 30; version++) {
            publish(version, 1);
        }
        one.next(Fate.DONE, Fate.DONE, Fate.DONE, Fate.DONE, Fate.LOST);
        publish(31, 1);
        assertThat(bodies()).containsExactlyElementsOf(versions(15, 31));
        publish(32, 1);

        assertThat(bodies()).containsExactlyElementsOf(versions(17, 32));
    }

    @Test
    void aControllerThatLostDeletesNothing() {
        publish(5, 1);

        assertThat(done(rival.publish(Optional.empty(), map(100, B, 1)))).isFalse();
        assertThat(done(controller.read())).contains(map(5, A, 1));
    }

    @Test
    void aReaderWhoseBodyWasDeletedMeanwhileReadsTheLaterMap() {
        publish(5, 1);
        other.next(Fate.DONE, Fate.HELD);
        CompletableFuture<Optional<PublishedMap>> read = rival.read();
        loop.tick();
        for (long version = 6; version <= 30; version++) {
            publish(version, 1);
        }
        other.land();
        loop.pass(A_WHILE_MILLIS);

        assertThat(read).isCompletedWithValue(Optional.of(map(30, A, 1)));
    }

    @Test
    void aHeadWithoutItsBodyIsAnErrorOfItsOwn() {
        publish(5, 1);
        memory.deleteRange(ClusterRows.mapBodies(5, 6)).join();

        assertThatThrownBy(() -> done(controller.read()))
                .cause()
                .isInstanceOf(DamagedMapException.class)
                .hasMessageContaining("body of map 5: missing");
    }

    @Test
    void aHeadWithAnotherBodyIsAnErrorOfItsOwn() {
        publish(5, 1);
        replace(ClusterRows.mapBody(5), MapCodec.encodeBody(map(5, B, 1).map()));

        assertThatThrownBy(() -> done(controller.read()))
                .cause()
                .isInstanceOf(DamagedMapException.class)
                .hasMessageContaining("body of map 5: another checksum");
    }

    @Test
    void aBodyOfAnotherVersionIsNotFinished() {
        publish(5, 1);
        memory.putIfAbsent(
                        ClusterRows.mapBody(6), MapCodec.encodeBody(map(7, B, 1).map()))
                .join();

        assertThatThrownBy(() -> done(controller.publish(Optional.of(map(5, A, 1)), map(6, A, 1))))
                .cause()
                .isInstanceOf(DamagedMapException.class)
                .hasMessageContaining("body of map 6: of map 7");
        assertThat(done(controller.read())).contains(map(5, A, 1));
    }

    @Test
    void aHeadOfALaterFormatIsNotTouched() {
        publish(5, 1);
        replace(ClusterRows.mapHead(), Bytes.wrap(new byte[] {2, 9}));

        assertThatThrownBy(() -> done(controller.read()))
                .cause()
                .isInstanceOf(CorruptRecordException.class)
                .hasCauseInstanceOf(LaterFormatException.class);
        assertThat(done(controller.publish(Optional.of(map(5, A, 1)), map(6, A, 1))))
                .isFalse();
        assertThat(cell(ClusterRows.mapHead())).contains(Bytes.wrap(new byte[] {2, 9}));
    }

    /** Lets two controllers publish over stores that fail in all ways, and checks every head that was ever in force. */
    @Test
    void mapsOfTwoControllersFollowEachOtherWhateverTheStoreDoes() {
        for (int seed = 0; seed < 20; seed++) {
            MapCellDuel duel = new MapCellDuel(new Random(seed));
            assertThat(duel.versions()).as("seed %d", seed).isSorted().hasSizeGreaterThan(5);
        }
    }

    private void publish(long version, int formatLevel) {
        Optional<PublishedMap> before = done(controller.read());
        assertThat(done(controller.publish(before, map(version, A, formatLevel))))
                .isTrue();
    }

    private List<Long> bodies() {
        return memory
                .scan(ClusterRows.mapBodies(0, Long.MAX_VALUE), new ScanLimit(1_000, 1 << 20))
                .join()
                .cells()
                .stream()
                .map(cell -> MapCodec.decodeBody(cell.value()).version())
                .toList();
    }

    private static List<Long> versions(long first, long last) {
        List<Long> versions = new ArrayList<>();
        for (long version = first; version <= last; version++) {
            versions.add(version);
        }
        return versions;
    }

    private Optional<Bytes> cell(CellKey key) {
        return memory.read(List.of(key)).join().getFirst().map(Cell::value);
    }

    private void replace(CellKey key, Bytes value) {
        assertThat(memory.compareAndSet(key, cell(key), value).join()).isTrue();
    }

    static PublishedMap map(long version, NodeRef owner, int formatLevel) {
        MapEntry entry = new MapEntry(Optional.of(owner), Optional.empty(), version);
        return new PublishedMap(new PartitionMap(version, List.of(entry)), formatLevel);
    }

    private <T> T done(CompletableFuture<T> future) {
        loop.pass(A_WHILE_MILLIS);
        assertThat(future).isDone();
        return future.join();
    }
}
