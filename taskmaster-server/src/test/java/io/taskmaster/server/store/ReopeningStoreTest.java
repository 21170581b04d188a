package io.taskmaster.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.StoreCondition.State;
import io.taskmaster.server.store.StoreException.Outcome;
import io.taskmaster.server.store.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class ReopeningStoreTest {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final CellKey CELL = new CellKey(Table.LOG, Bytes.of("\0\1row"), 0);

    private final MemoryStore memory = new MemoryStore();
    private final BreakableStore first = new BreakableStore(memory);
    private final BreakableStore second = new BreakableStore(memory);
    private final Queue<Object> openings = new ArrayDeque<>(List.of(first));
    private Optional<ReopeningStore> opened = Optional.empty();

    private ReopeningStore open(Duration closeLimit, Object... later) {
        openings.addAll(List.of(later));
        ReopeningStore store = new ReopeningStore(this::next, this::next, closeLimit);
        opened = Optional.of(store);
        return store;
    }

    private synchronized Store next() {
        return switch (openings.remove()) {
            case Store store -> store;
            case RuntimeException failure -> throw failure;
            default -> throw new AssertionError();
        };
    }

    @AfterEach
    void close() {
        opened.ifPresent(ReopeningStore::close);
    }

    @Test
    void aSessionFailsForGoodWithItsHandleThoughTheStoreIsOpenAgain() {
        ReopeningStore store = open(LIMIT, second);
        Store session = store.session();
        assertThat(session.putIfAbsent(CELL, Bytes.of("1"))).isCompletedWithValue(true);
        first.breakDown();
        awaitReopenings(store, 1);

        assertThat(session.broken()).isCompleted();
        assertUnknown(session.sync());
        assertUnknown(session.stage(List.of()));
        assertUnknown(session.putIfAbsent(CELL, Bytes.of("2")));
        assertUnknown(session.read(List.of(CELL)));
        assertThat(store.session().broken()).isNotDone();
        assertThat(store.session().putIfAbsent(CELL, Bytes.of("3"))).isCompletedWithValue(false);
        assertThat(store.broken()).isNotDone();
    }

    @Test
    void isOpenedAsOftenAsItTakesAndSaysMeanwhileWhy() {
        ReopeningStore store =
                open(LIMIT, refused("too many open files"), refused("too many open files"), refused("still"), second);
        BreakableStore third = new BreakableStore(memory);
        first.breakDown();
        awaitReopenings(store, 1);
        openings.add(third);
        second.breakDown();
        awaitReopenings(store, 2);

        assertThat(store.condition()).returns(State.OPEN, StoreCondition::state).returns("", StoreCondition::reason);
    }

    @Test
    void handlesThatBreakSoonAreFollowedByLongerAndLongerRests() {
        assertThat(IntStream.range(0, 8).mapToLong(ReopeningStore::backoffMillis))
                .containsExactly(0L, 0L, 1_000L, 2_000L, 4_000L, 8_000L, 10_000L, 10_000L);
        assertThat(ReopeningStore.backoffMillis(Integer.MAX_VALUE)).isEqualTo(10_000);
    }

    @Test
    void whatIsDamagedWhenItIsOpenedAgainIsLost() {
        ReopeningStore store = open(LIMIT, new StoreException(Outcome.CORRUPT, "damaged file: x", null));
        first.breakDown();

        await().atMost(LIMIT).until(() -> store.broken().isDone());
        assertThat(store.broken().join()).hasMessage("damaged file: x");
        assertThat(store.condition())
                .returns(State.LOST, StoreCondition::state)
                .returns("damaged file: x", StoreCondition::reason);
    }

    @Test
    void whatAnotherProcessHasTakenMeanwhileIsLost() {
        ReopeningStore store = open(LIMIT, new StoreInUseException("in use"));
        first.breakDown();

        await().atMost(LIMIT).until(() -> store.broken().isDone());
        assertThat(store.broken().join()).isInstanceOf(StoreInUseException.class);
    }

    @Test
    void whatCannotBeClosedIsLostAndClosingTheStoreDoesNotWaitForIt() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        BreakableStore stuck = new BreakableStore(memory, () -> awaitQuietly(never));
        openings.clear();
        openings.add(stuck);
        ReopeningStore store = open(Duration.ofMillis(1), second);
        stuck.breakDown();

        await().atMost(LIMIT).until(() -> store.broken().isDone());
        assertThat(store.broken().join()).isInstanceOf(StoreStuckException.class);
        store.close();
        assertThat(openings).as("never opened").containsExactly(second);
        never.countDown();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static StoreException refused(String why) {
        return new StoreException(Outcome.REFUSED, why, null);
    }

    private static void awaitReopenings(ReopeningStore store, long count) {
        await().atMost(LIMIT).until(() -> store.condition().reopenings() == count);
    }

    private static void assertUnknown(CompletableFuture<?> operation) {
        assertThat(operation).isCompletedExceptionally();
        assertThat(operation.exceptionNow())
                .isInstanceOfSatisfying(
                        StoreException.class,
                        failure -> assertThat(failure.outcome()).isEqualTo(Outcome.UNKNOWN));
    }
}
