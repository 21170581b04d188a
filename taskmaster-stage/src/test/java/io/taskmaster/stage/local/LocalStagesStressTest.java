package io.taskmaster.stage.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.taskmaster.client.ServiceClass;
import io.taskmaster.client.Timer;
import io.taskmaster.stage.Admission;
import io.taskmaster.stage.Admission.Cause;
import io.taskmaster.stage.Admission.Refused;
import io.taskmaster.stage.Admission.Taken;
import io.taskmaster.stage.Rate;
import io.taskmaster.stage.Sink;
import io.taskmaster.stage.local.admission.AdmissionRule;
import io.taskmaster.stage.local.pool.LocalEnvironment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Stress tests of chains of stages with small queues and random settings, on real threads: several producers, handlers
 * that throw, stages that are paused, resumed and removed meanwhile. In every run each event ends exactly once, no
 * stage has more workers than places, and nothing hangs.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LocalStagesStressTest {

    private static final int PRODUCERS = 3;
    private static final int EVENTS = 3_000;
    private static final Duration SHORT = Duration.ofMillis(300);

    private record Event(int number, AtomicInteger ends) {

        void end() {
            ends.incrementAndGet();
        }

        ServiceClass serviceClass() {
            return number % 3 == 0 ? ServiceClass.BULK : ServiceClass.INTERACTIVE;
        }
    }

    @RepeatedTest(40)
    void eachEventEndsOnce(RepetitionInfo repetition) throws InterruptedException {
        SplittableRandom random = new SplittableRandom(repetition.getCurrentRepetition());
        List<Event> events = new ArrayList<>();
        List<String> problems = Collections.synchronizedList(new ArrayList<>());
        try (LocalStages stages = LocalStages.start()) {
            int length = 1 + random.nextInt(4);
            Sink<Event> next = event -> {
                event.end();
                return Taken.ACCEPTED;
            };
            List<LocalStage<Event>> bounded = new ArrayList<>();
            for (int i = length; i > 0; i--) {
                LocalStage<Event> stage = add(stages, "s" + i, next, random.split(), problems);
                if (stage.status().capacity() > 0) {
                    bounded.add(stage);
                }
                next = stage;
            }
            Sink<Event> first = next;
            List<Thread> producers = new ArrayList<>();
            for (int p = 0; p < PRODUCERS; p++) {
                List<Event> own = new ArrayList<>();
                for (int i = 0; i < EVENTS; i++) {
                    own.add(new Event(i, new AtomicInteger()));
                }
                events.addAll(own);
                producers.add(Thread.ofPlatform().start(() -> own.forEach(event -> offer(first, event))));
            }
            CompletableFuture<Void> removed = random.nextBoolean()
                    ? stages.remove("s" + (1 + random.nextInt(length)), Duration.ofMillis(random.nextInt(20)))
                    : CompletableFuture.completedFuture(null);
            if (random.nextBoolean()) {
                bounded.clear();
            }
            SplittableRandom pauses = random.split();
            AtomicBoolean over = new AtomicBoolean();
            Thread pausing = Thread.ofPlatform().start(() -> pauseAndResume(bounded, pauses, over));
            try {
                for (Thread producer : producers) {
                    producer.join();
                }
                removed.join();
            } finally {
                over.set(true);
            }
            pausing.join();
        }
        assertThat(problems).isEmpty();
        // An event that a handler has when its stage is abandoned ends later.
        await().until(() -> events.stream().allMatch(event -> event.ends().get() > 0));
        assertThat(events).allSatisfy(event -> assertThat(event.ends()).hasValue(1));
    }

    /** Pauses and resumes stages at random; some are left paused in the end. */
    private static void pauseAndResume(List<LocalStage<Event>> stages, SplittableRandom random, AtomicBoolean over) {
        while (!over.get() && !stages.isEmpty()) {
            LocalStage<Event> stage = stages.get(random.nextInt(stages.size()));
            if (random.nextBoolean()) {
                stage.pause();
            } else {
                stage.resume();
            }
            LockSupport.parkNanos(random.nextInt(100_000));
        }
    }

    private static LocalStage<Event> add(
            LocalStages stages, String name, Sink<Event> next, SplittableRandom random, List<String> problems) {
        int places = 1 + random.nextInt(3);
        boolean hasBoundary = random.nextInt(4) > 0;
        AtomicInteger atWork = new AtomicInteger();
        EventHandler<Event> handler = event -> {
            if (hasBoundary && atWork.incrementAndGet() > places) {
                problems.add(name + ": more workers than places");
            }
            try {
                if (event.number() % 17 == 0) {
                    throw new IllegalStateException("broken");
                }
                offer(next, event);
            } finally {
                atWork.decrementAndGet();
            }
        };
        UnaryOperator<Boundary<Event>> settings = settings(places, random);
        boolean together = random.nextInt(3) == 0;
        return stages.add(name, stage -> {
            stage.onDrop((event, _) -> event.end());
            if (!hasBoundary) {
                stage.handler(handler);
            } else if (together) {
                stage.batchHandler(3, (events, answer) -> {
                            for (Event event : events) {
                                handler.handle(event);
                                answer.done(event);
                            }
                        })
                        .boundary(1 + random.nextInt(8), settings);
            } else {
                stage.handler(handler).boundary(1 + random.nextInt(8), settings);
            }
        });
    }

    private static UnaryOperator<Boundary<Event>> settings(int places, SplittableRandom random) {
        Overflow<Event> overflow = switch (random.nextInt(5)) {
            case 0 -> Overflow.reject();
            case 1 -> Overflow.shed();
            case 2 -> Overflow.degrade(Event::end);
            case 3 -> Overflow.spill(2, event -> CompletableFuture.runAsync(event::end, ForkJoinPool.commonPool()));
            default -> Overflow.block(Duration.ofSeconds(20));
        };
        boolean blocking = random.nextBoolean();
        boolean paced = random.nextInt(4) == 0;
        boolean hurried = random.nextInt(4) == 0;
        return boundary -> {
            Boundary<Event> built =
                    boundary.concurrency(places).overflow(Overflow.reject()).serviceClass(Event::serviceClass);
            built = blocking ? built.blocking() : built;
            built = paced ? built.admission(AdmissionRule.tokenBucket(new Rate(100_000, 10))) : built;
            built = hurried
                    ? built.admission(AdmissionRule.codel(Duration.ofNanos(10_000), Duration.ofNanos(100_000)))
                    : built;
            return built.overflow(overflow);
        };
    }

    private static void offer(Sink<Event> sink, Event event) {
        if (!sink.offer(event).isTaken()) {
            event.end();
        }
    }

    /**
     * Covers a pool whose every thread waits for credits that only another thread could free: each does the work of the
     * stage that it waits for.
     */
    @Test
    void stagesThatWaitForEachOtherGoOnWithOneThread() throws InterruptedException {
        AtomicInteger done = new AtomicInteger();
        try (ForkJoinPool pool = new ForkJoinPool(1);
                LocalStages stages = LocalStages.start(new LocalEnvironment(Timer.SYSTEM, pool, pool))) {
            Sink<Integer> next = _ -> {
                done.incrementAndGet();
                return Taken.ACCEPTED;
            };
            for (int i = 0; i < 5; i++) {
                Sink<Integer> after = next;
                next = stages.add(
                        "s" + i,
                        stage -> stage.handler(event -> {
                                    assertThat(after.offer(event).isTaken()).isTrue();
                                    assertThat(after.offer(event).isTaken()).isTrue();
                                })
                                .boundary(1, b -> b.overflow(Overflow.block(Duration.ofSeconds(50)))));
            }
            for (int i = 0; i < 200; i++) {
                assertThat(next.offer(i).isTaken()).isTrue();
            }
        }
        assertThat(done).hasValue(200 * 32);
    }

    /** Gives every thread a stage that never runs out of events, since it hands on to itself. */
    @Test
    void busyStagesLeaveThreadsToOthers() throws InterruptedException {
        try (LocalStages stages = LocalStages.start()) {
            for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
                AtomicReference<LocalStage<Integer>> itself = new AtomicReference<>();
                itself.set(stages.add(
                        "busy" + i,
                        s -> s.handler(event -> {
                                    var _ = itself.get().offer(event);
                                })
                                .boundary(2, b -> b)));
                assertThat(itself.get().offer(1).isTaken()).isTrue();
            }
            CountDownLatch served = new CountDownLatch(1);
            LocalStage<Integer> other =
                    stages.add("other", s -> s.handler(_ -> served.countDown()).boundary(1, b -> b));
            assertThat(other.offer(1).isTaken()).isTrue();
            assertThat(served.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** Covers a producer that is refused because a stage is being removed, and that held its last credits. */
    @Test
    void stageEndsAlthoughSomebodyWasOnTheWayIn() throws Exception {
        try (LocalStages stages = LocalStages.start()) {
            for (int i = 0; i < 3_000; i++) {
                LocalStage<Integer> stage =
                        stages.add("s", s -> s.handler(_ -> {}).boundary(2, b -> b.overflow(Overflow.block(SHORT))));
                Thread producer = Thread.ofVirtual().start(() -> {
                    while (stage.offer(1).isTaken()) {
                        Thread.onSpinWait();
                    }
                });
                Thread.onSpinWait();
                stages.remove("s", Duration.ofHours(1)).get(20, TimeUnit.SECONDS);
                producer.join();
            }
        }
    }

    @Test
    void producerWaitsUntilThereIsRoomOrItsTimeIsOverOrItIsInterrupted() throws InterruptedException {
        CountDownLatch busy = new CountDownLatch(1);
        try (LocalStages stages = LocalStages.start()) {
            LocalStage<Integer> stage = stages.add(
                    "s", s -> s.handler(_ -> busy.await()).boundary(1, b -> b.overflow(Overflow.block(SHORT))));
            await().until(() -> !stage.offer(0).isTaken());
            List<Admission> admissions = Collections.synchronizedList(new ArrayList<>());
            Thread interrupted = Thread.ofVirtual().start(() -> admissions.add(stage.offer(1)));
            interrupted.interrupt();
            interrupted.join();
            assertThat(admissions)
                    .singleElement()
                    .isInstanceOfSatisfying(
                            Refused.class,
                            refused -> assertThat(refused.cause()).isEqualTo(Cause.INTERRUPTED));

            Thread waiting = Thread.ofVirtual().start(() -> admissions.add(stage.offer(2)));
            await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
            busy.countDown();
            waiting.join();
            assertThat(admissions).hasSize(2).last().isEqualTo(Taken.ACCEPTED);
        }
    }

    /** Checks that threads of the pool do other stages' work while they wait, but none that blocks. */
    @Test
    void handlerThatBlocksStaysOffThePool() throws InterruptedException {
        List<String> threads = Collections.synchronizedList(new ArrayList<>());
        try (LocalStages stages = LocalStages.start()) {
            LocalStage<Integer> slow = stages.add(
                    "slow",
                    s -> s.handler(_ -> {
                                if (!Thread.currentThread().isVirtual()) {
                                    threads.add(Thread.currentThread().getName());
                                }
                                TimeUnit.MILLISECONDS.sleep(1);
                            })
                            .boundary(1, b -> b.blocking().overflow(Overflow.block(Duration.ofSeconds(20)))));
            LocalStage<Integer> quick =
                    stages.add("quick", s -> s.handler(slow::offer).boundary(100, b -> b.concurrency(2)));
            for (int i = 0; i < 100; i++) {
                quick.offer(i);
            }
        }
        assertThat(threads).isEmpty();
    }

    @Test
    void endWaitsForStagesThatAreBeingRemoved() {
        AtomicInteger done = new AtomicInteger();
        try (LocalStages stages = LocalStages.start()) {
            LocalStage<Integer> stage = stages.add(
                    "s",
                    s -> s.handler(_ -> {
                                TimeUnit.MILLISECONDS.sleep(10);
                                done.incrementAndGet();
                            })
                            .boundary(20, b -> b.blocking()));
            for (int i = 0; i < 20; i++) {
                stage.offer(i);
            }
            CompletableFuture<Void> _ = stages.remove("s", Duration.ofSeconds(20));
        }
        assertThat(done).hasValue(20);
    }

    /** Races a resume against an offer: either the one or the other calls a worker. */
    @Test
    void noEventIsLeftLyingByAPause() throws InterruptedException {
        Queue<Runnable> pool = new ConcurrentLinkedQueue<>();
        try (LocalStages stages = LocalStages.start(new LocalEnvironment(Timer.SYSTEM, pool::add, pool::add))) {
            AtomicInteger done = new AtomicInteger();
            AtomicInteger offered = new AtomicInteger();
            LocalStage<Integer> stage =
                    stages.add("s", s -> s.handler(_ -> done.incrementAndGet()).boundary(4, b -> b));
            race(
                    100_000,
                    () -> {
                        assertThat(stage.offer(offered.incrementAndGet()).isTaken())
                                .isTrue();
                        Runnable worker = pool.poll();
                        if (worker != null) {
                            worker.run();
                        }
                    },
                    () -> {
                        stage.pause();
                        stage.concurrency(1 + offered.get() % 2);
                        stage.resume();
                    },
                    () -> {
                        work(pool);
                        assertThat(done).hasValue(offered.get());
                        assertThat(stage.status().workers()).isZero();
                    });
        }
    }

    @Test
    void stageThatIsPausedWhileItIsDrainedEnds() throws InterruptedException {
        Queue<Runnable> pool = new ConcurrentLinkedQueue<>();
        try (LocalStages stages = LocalStages.start(new LocalEnvironment(Timer.SYSTEM, pool::add, pool::add))) {
            AtomicInteger done = new AtomicInteger();
            AtomicInteger offered = new AtomicInteger();
            Supplier<LocalStage<Integer>> next = () ->
                    stages.add("s", s -> s.handler(_ -> done.incrementAndGet()).boundary(4, b -> b));
            AtomicReference<LocalStage<Integer>> stage = new AtomicReference<>(next.get());
            AtomicReference<CompletableFuture<Void>> removed = new AtomicReference<>();
            race(
                    3_000,
                    () -> {
                        assertThat(stage.get().offer(offered.incrementAndGet()).isTaken())
                                .isTrue();
                        removed.set(stages.remove("s", Duration.ofHours(1)));
                    },
                    () -> stage.get().pause(),
                    () -> {
                        assertThat(stage.get().status().isPaused()).isFalse();
                        work(pool);
                        assertThat(removed.get()).isCompleted();
                        assertThat(done).hasValue(offered.get());
                        stage.set(next.get());
                    });
        }
    }

    private static void work(Queue<Runnable> pool) {
        for (Runnable worker = pool.poll(); worker != null; worker = pool.poll()) {
            worker.run();
        }
    }

    /** Runs both at once, as nearly as possible, and then a check; repeatedly. */
    private static void race(int rounds, Runnable one, Runnable other, Runnable check) throws InterruptedException {
        AtomicInteger begun = new AtomicInteger();
        AtomicInteger ended = new AtomicInteger();
        Thread second = Thread.ofPlatform().start(() -> {
            for (int i = 1; i <= rounds; i++) {
                while (begun.get() < i) {
                    Thread.onSpinWait();
                }
                other.run();
                ended.set(i);
            }
        });
        try {
            for (int i = 1; i <= rounds; i++) {
                begun.set(i);
                // Sometimes the one is earlier, sometimes the other.
                for (int spins = i % 32; spins > 0; spins--) {
                    Thread.onSpinWait();
                }
                one.run();
                while (ended.get() < i && second.isAlive()) {
                    Thread.onSpinWait();
                }
                check.run();
            }
        } finally {
            begun.set(rounds);
        }
        second.join();
    }

    /** Drains a stage first that waits for credits of a paused one. */
    @Test
    void stagesThatArePausedDoNotHoldUpTheEnd() {
        AtomicInteger done = new AtomicInteger();
        try (LocalStages stages = LocalStages.start()) {
            LocalStage<Integer> last = stages.add(
                    "last",
                    s -> s.handler(_ -> done.incrementAndGet())
                            .boundary(1, b -> b.overflow(Overflow.block(Duration.ofSeconds(20)))));
            LocalStage<Integer> first =
                    stages.add("first", s -> s.handler(last::offer).boundary(10, b -> b));
            last.pause();
            for (int i = 0; i < 10; i++) {
                assertThat(first.offer(i).isTaken()).isTrue();
            }
        }
        assertThat(done).hasValue(10);
    }

    @Test
    void producerWaitsForAPausedStageAsLongAsItIsToAndDoesNoneOfItsWork() throws Exception {
        List<Integer> handled = Collections.synchronizedList(new ArrayList<>());
        CompletableFuture<Admission> admission = new CompletableFuture<>();
        try (LocalStages stages = LocalStages.start()) {
            LocalStage<Integer> last = stages.add(
                    "last", s -> s.handler(handled::add).boundary(1, b -> b.overflow(Overflow.block(SHORT))));
            LocalStage<Integer> first = stages.add(
                    "first",
                    s -> s.handler(_ -> {
                                last.offer(1);
                                admission.complete(last.offer(2));
                            })
                            .boundary(1, b -> b));
            last.pause();
            long startNanos = System.nanoTime();
            first.offer(0);
            assertThat(admission.get(20, TimeUnit.SECONDS))
                    .isInstanceOfSatisfying(
                            Refused.class,
                            refused -> assertThat(refused.cause()).isEqualTo(Cause.FULL));
            assertThat(System.nanoTime() - startNanos).isGreaterThanOrEqualTo(SHORT.toNanos());
            assertThat(handled).isEmpty();
            last.resume();
            await().until(() -> handled.equals(List.of(1)));
        }
    }

    /** Checks that every event wakes an idle stage. */
    @Test
    void noEventIsLeftLying() throws InterruptedException {
        try (LocalStages stages = LocalStages.start()) {
            for (int places = 1; places <= 2; places++) {
                int workers = places;
                AtomicInteger done = new AtomicInteger();
                LocalStage<Integer> stage = stages.add(
                        "s" + places,
                        s -> s.handler(_ -> done.incrementAndGet()).boundary(4, b -> b.concurrency(workers)));
                for (int i = 1; i <= 50_000; i++) {
                    assertThat(stage.offer(i).isTaken()).isTrue();
                    long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
                    while (done.get() < i) {
                        assertThat(System.nanoTime()).isLessThan(giveUp);
                        Thread.onSpinWait();
                    }
                }
            }
        }
    }
}
