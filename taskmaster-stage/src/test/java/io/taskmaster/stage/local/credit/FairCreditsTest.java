package io.taskmaster.stage.local.credit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.taskmaster.client.Timer;
import io.taskmaster.stage.local.credit.FairCredits.Entry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests of waiters for credits, and of the order in which they get them. */
final class FairCreditsTest {

    private static final long LONG = Duration.ofMinutes(1).toNanos();

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final FairCredits fairCredits = new FairCredits(2, Timer.SYSTEM);
    private final List<String> in = new CopyOnWriteArrayList<>();

    @AfterEach
    void end() {
        fairCredits.close();
        threads.close();
    }

    /** Starts a waiter, and returns when it is in line. */
    @CanIgnoreReturnValue
    private CompletableFuture<Entry> enterAsync(String name, long cost, @Nullable BooleanSupplier help) {
        int before = fairCredits.waiting();
        CompletableFuture<Entry> entry = new CompletableFuture<>();
        Future<Entry> _ = threads.submit(() -> {
            Entry how = fairCredits.await(cost, LONG, help);
            if (how == Entry.IN) {
                in.add(name);
            }
            entry.complete(how);
            return how;
        });
        await().until(() -> fairCredits.waiting() == before + 1);
        return entry;
    }

    private void awaitIn(String... name) {
        await().untilAsserted(() -> assertThat(in).containsExactly(name));
    }

    @Test
    void whoCameFirstGoesOnFirst() {
        assertThat(fairCredits.enter(2)).isEqualTo(Entry.IN);
        for (String name : List.of("a", "b", "c", "d")) {
            enterAsync(name, 1, null);
        }
        fairCredits.leave(1);
        awaitIn("a");
        fairCredits.leave(1);
        awaitIn("a", "b");
        fairCredits.leave(2);
        await().until(() -> in.size() == 4);
        assertThat(fairCredits.taken()).isEqualTo(2);
        assertThat(fairCredits.waiting()).isZero();
    }

    @Test
    void nobodyPassesThoseWhoWait() {
        assertThat(fairCredits.enter(2)).isEqualTo(Entry.IN);
        enterAsync("large", 2, null);
        CompletableFuture<Entry> small = enterAsync("small", 1, null);
        fairCredits.leave(1);
        assertThat(fairCredits.enter(1)).isEqualTo(Entry.FULL);
        assertThat(small).isNotDone();
        assertThat(in).isEmpty();

        fairCredits.leave(1);
        awaitIn("large");
        fairCredits.leave(2);
        awaitIn("large", "small");
        assertThat(fairCredits.enter(1)).isEqualTo(Entry.IN);
    }

    @Test
    void whoGivesUpWaitingMakesWayForTheNext() throws InterruptedException {
        assertThat(fairCredits.enter(2)).isEqualTo(Entry.IN);
        CompletableFuture<Entry> large = new CompletableFuture<>();
        Thread waiter = Thread.startVirtualThread(() -> {
            try {
                large.complete(fairCredits.await(2, LONG, null));
            } catch (InterruptedException e) {
                large.complete(Entry.FULL);
            }
        });
        await().until(() -> fairCredits.waiting() == 1);
        enterAsync("small", 1, null);
        fairCredits.leave(1);
        assertThat(in).isEmpty();
        waiter.interrupt();
        awaitIn("small");
        assertThat(fairCredits.await(1, 0, null)).isEqualTo(Entry.FULL);
        assertThat(large).isCompletedWithValue(Entry.FULL);
    }

    @Test
    void whoIsOfUseMeanwhileHoldsNobodyUpAndKeepsItsPlace() {
        assertThat(fairCredits.enter(2)).isEqualTo(Entry.IN);
        CompletableFuture<Void> released = new CompletableFuture<>();
        enterAsync("helper", 1, () -> {
            released.join();
            return false;
        });
        enterAsync("b", 1, null);
        enterAsync("c", 1, null);
        fairCredits.leave(1);
        awaitIn("b");
        released.complete(null);
        fairCredits.leave(1);
        await().until(() -> in.size() == 2);
        fairCredits.leave(1);
        await().until(() -> in.size() == 3);
        assertThat(in.getFirst()).isEqualTo("b");
    }

    @Test
    void nobodyWaitsForAClosedOne() {
        assertThat(fairCredits.enter(2)).isEqualTo(Entry.IN);
        CompletableFuture<Entry> a = enterAsync("a", 1, null);
        CompletableFuture<Entry> b = enterAsync("b", 2, null);
        fairCredits.close();
        assertThat(a.join()).isEqualTo(Entry.CLOSED);
        assertThat(b.join()).isEqualTo(Entry.CLOSED);
        assertThat(fairCredits.enter(1)).isEqualTo(Entry.CLOSED);
        assertThat(fairCredits.taken()).isEqualTo(2);
    }

    /** Lets most threads sleep most of the time, so that a lost wake-up would hold up all others for ever. */
    @RepeatedTest(6)
    @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void noWakeUpIsLost(RepetitionInfo repetition) throws Exception {
        SplittableRandom random = new SplittableRandom(repetition.getCurrentRepetition());
        AtomicInteger ins = new AtomicInteger();
        AtomicInteger timedOut = new AtomicInteger();
        List<Thread> patient = new ArrayList<>();
        List<Thread> others = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            patient.add(enterRepeatedly(2_000, random.nextInt(1, 3), LONG, ins, timedOut));
            // A waiter that is woken when its time is over, or that is interrupted, has to wake the next one.
            others.add(enterRepeatedly(2_000, random.nextInt(1, 3), 20_000, new AtomicInteger(), new AtomicInteger()));
        }
        while (others.stream().anyMatch(Thread::isAlive)) {
            others.get(random.nextInt(others.size())).interrupt();
            LockSupport.parkNanos(1);
        }
        for (Thread thread : patient) {
            thread.join();
        }
        assertThat(ins).hasValue(6_000);
        assertThat(timedOut).hasValue(0);
        assertThat(fairCredits.taken()).isZero();
        assertThat(fairCredits.waiting()).isZero();
    }

    private Thread enterRepeatedly(int times, int cost, long maxNanos, AtomicInteger ins, AtomicInteger timedOut) {
        return Thread.ofPlatform().daemon().start(() -> {
            for (int i = 0; i < times; i++) {
                Entry how;
                try {
                    how = fairCredits.await(cost, maxNanos, null);
                } catch (InterruptedException e) {
                    how = Entry.FULL;
                }
                if (how == Entry.IN) {
                    ins.incrementAndGet();
                    LockSupport.parkNanos(1);
                    fairCredits.leave(cost);
                } else {
                    timedOut.incrementAndGet();
                }
            }
        });
    }

    /** Has no other threads that come or go, which might wake the waiter by the way. */
    @Test
    @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void whoWaitsAloneIsWoken() throws Exception {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 3_000; i++) {
            assertThat(fairCredits.enter(2)).isEqualTo(Entry.IN);
            Future<Entry> waiter = threads.submit(() -> fairCredits.await(2, LONG, null));
            pass(random.nextInt(2_000));
            fairCredits.leave(2);
            assertThat(waiter.get()).isEqualTo(Entry.IN);
            fairCredits.leave(2);
        }
    }

    /** Closes while waiters may just be about to sleep. */
    @Test
    @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void allWhoWaitHearOfTheEnd() throws Exception {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 3_000; i++) {
            FairCredits ending = new FairCredits(1, Timer.SYSTEM);
            assertThat(ending.enter(1)).isEqualTo(Entry.IN);
            Future<Entry> first = threads.submit(() -> ending.await(1, LONG, null));
            Future<Entry> second = threads.submit(() -> ending.await(1, LONG, null));
            pass(random.nextInt(2_000));
            ending.close();
            assertThat(first.get()).isEqualTo(Entry.CLOSED);
            assertThat(second.get()).isEqualTo(Entry.CLOSED);
        }
    }

    private static void pass(int moments) {
        for (int i = 0; i < moments; i++) {
            Thread.onSpinWait();
        }
    }
}
