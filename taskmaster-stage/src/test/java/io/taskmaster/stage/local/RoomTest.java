package io.taskmaster.stage.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.taskmaster.client.Timer;
import io.taskmaster.stage.local.Room.Entry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who waits for room, and who gets it when. */
final class RoomTest {

    private static final long LONG = Duration.ofMinutes(1).toNanos();

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Room room = new Room(2, Timer.SYSTEM);
    private final List<String> in = new CopyOnWriteArrayList<>();

    @AfterEach
    void end() {
        room.close();
        threads.close();
    }

    /** Somebody comes who waits. */
    @CanIgnoreReturnValue
    private CompletableFuture<Entry> come(String who, long cost, @Nullable BooleanSupplier help) {
        int before = room.waiting();
        CompletableFuture<Entry> entry = new CompletableFuture<>();
        Future<Entry> _ = threads.submit(() -> {
            Entry how = room.await(cost, LONG, help);
            if (how == Entry.IN) {
                in.add(who);
            }
            entry.complete(how);
            return how;
        });
        await().until(() -> room.waiting() == before + 1);
        return entry;
    }

    private void awaitIn(String... who) {
        await().untilAsserted(() -> assertThat(in).containsExactly(who));
    }

    @Test
    void whoCameFirstGoesOnFirst() {
        assertThat(room.enter(2)).isEqualTo(Entry.IN);
        for (String who : List.of("a", "b", "c", "d")) {
            come(who, 1, null);
        }
        room.leave(1);
        awaitIn("a");
        room.leave(1);
        awaitIn("a", "b");
        room.leave(2);
        await().until(() -> in.size() == 4);
        assertThat(room.taken()).isEqualTo(2);
        assertThat(room.waiting()).isZero();
    }

    @Test
    void nobodyPassesThoseWhoWait() {
        assertThat(room.enter(2)).isEqualTo(Entry.IN);
        come("large", 2, null);
        CompletableFuture<Entry> small = come("small", 1, null);
        room.leave(1);
        assertThat(room.enter(1)).isEqualTo(Entry.FULL);
        assertThat(small).isNotDone();
        assertThat(in).isEmpty();

        room.leave(1);
        awaitIn("large");
        room.leave(2);
        awaitIn("large", "small");
        assertThat(room.enter(1)).isEqualTo(Entry.IN);
    }

    @Test
    void whoGivesUpWaitingMakesWayForTheNext() throws InterruptedException {
        assertThat(room.enter(2)).isEqualTo(Entry.IN);
        CompletableFuture<Entry> large = new CompletableFuture<>();
        Thread waiter = Thread.startVirtualThread(() -> {
            try {
                large.complete(room.await(2, LONG, null));
            } catch (InterruptedException e) {
                large.complete(Entry.FULL);
            }
        });
        await().until(() -> room.waiting() == 1);
        come("small", 1, null);
        room.leave(1);
        assertThat(in).isEmpty();
        waiter.interrupt();
        awaitIn("small");
        assertThat(room.await(1, 0, null)).isEqualTo(Entry.FULL);
        assertThat(large).isCompletedWithValue(Entry.FULL);
    }

    @Test
    void whoIsOfUseMeanwhileHoldsNobodyUpAndKeepsItsPlace() {
        assertThat(room.enter(2)).isEqualTo(Entry.IN);
        CompletableFuture<Void> back = new CompletableFuture<>();
        come("helper", 1, () -> {
            back.join();
            return false;
        });
        come("b", 1, null);
        come("c", 1, null);
        room.leave(1);
        awaitIn("b");
        back.complete(null);
        room.leave(1);
        await().until(() -> in.size() == 2);
        room.leave(1);
        await().until(() -> in.size() == 3);
        assertThat(in.getFirst()).isEqualTo("b");
    }

    @Test
    void nobodyWaitsForAClosedOne() {
        assertThat(room.enter(2)).isEqualTo(Entry.IN);
        CompletableFuture<Entry> a = come("a", 1, null);
        CompletableFuture<Entry> b = come("b", 2, null);
        room.close();
        assertThat(a.join()).isEqualTo(Entry.CLOSED);
        assertThat(b.join()).isEqualTo(Entry.CLOSED);
        assertThat(room.enter(1)).isEqualTo(Entry.CLOSED);
        assertThat(room.taken()).isEqualTo(2);
    }
}
