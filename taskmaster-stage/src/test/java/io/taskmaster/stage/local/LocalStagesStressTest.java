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
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Chains of stages with small queues and random settings, on real threads: several producers, handlers that throw, stages that are removed meanwhile. Whatever
 * happens, each event ends once, no stage has more workers than places, and nothing hangs.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
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
            for (int i = length; i > 0; i--) {
                next = add(stages, "s" + i, next, random.split(), problems);
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
            for (Thread producer : producers) {
                producer.join();
            }
            removed.join();
        }
        assertThat(problems).isEmpty();
        // What a handler has when its stage is given up ends by itself.
        await().until(() -> events.stream().allMatch(event -> event.ends().get() > 0));
        assertThat(events).allSatisfy(event -> assertThat(event.ends()).hasValue(1));
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
            Boundary<Event> some =
                    boundary.concurrency(places).overflow(Overflow.reject()).serviceClass(Event::serviceClass);
            some = blocking ? some.blocking() : some;
            some = paced ? some.admission(AdmissionRule.tokenBucket(new Rate(100_000, 10))) : some;
            some = hurried
                    ? some.admission(AdmissionRule.codel(Duration.ofNanos(10_000), Duration.ofNanos(100_000)))
                    : some;
            return some.overflow(overflow);
        };
    }

    private static void offer(Sink<Event> sink, Event event) {
        if (!sink.offer(event).isTaken()) {
            event.end();
        }
    }

    /** Every thread of the pool waits for room that only another one could make: so they make it themselves. */
    @Test
    void stagesThatWaitForEachOtherGoOnWithOneThread() throws InterruptedException {
        AtomicInteger done = new AtomicInteger();
        try (ForkJoinPool pool = new ForkJoinPool(1);
                LocalStages stages = LocalStages.start(new LocalWorld(Timer.SYSTEM, pool, pool))) {
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

    /** Who is refused because a stage is being removed may be the last that it waits for. */
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
            List<Admission> said = Collections.synchronizedList(new ArrayList<>());
            Thread interrupted = Thread.ofVirtual().start(() -> said.add(stage.offer(1)));
            interrupted.interrupt();
            interrupted.join();
            assertThat(said)
                    .singleElement()
                    .isInstanceOfSatisfying(
                            Refused.class,
                            refused -> assertThat(refused.cause()).isEqualTo(Cause.INTERRUPTED));

            Thread waiting = Thread.ofVirtual().start(() -> said.add(stage.offer(2)));
            await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
            busy.countDown();
            waiting.join();
            assertThat(said).hasSize(2).last().isEqualTo(Taken.ACCEPTED);
        }
    }

    /** The pool's threads do other stages' work while they wait, but none that blocks. */
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

    /** A stage that is idle is woken by each event that comes. */
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
