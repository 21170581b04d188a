package io.taskmaster.stage.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.client.ServiceClass;
import io.taskmaster.stage.Admission;
import io.taskmaster.stage.Admission.Cause;
import io.taskmaster.stage.Admission.Taken;
import io.taskmaster.stage.Answerable;
import io.taskmaster.stage.InvalidPipelineException;
import io.taskmaster.stage.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Local stages one by one; nothing happens at the same time. */
final class LocalStageTest {

    private static final Duration SHORT = Duration.ofSeconds(1);

    private final SimulatedStages world = new SimulatedStages();
    private final LocalStages stages = world.stages;
    private final List<String> handled = new ArrayList<>();
    private final List<String> dropped = new ArrayList<>();

    @Test
    void stageWithoutABoundaryIsACall() {
        LocalStage<String> stage = stages.add("s", s -> s.handler(handled::add));
        assertThat(stage.offer("a")).isEqualTo(Taken.ACCEPTED);
        assertThat(handled).containsExactly("a");
        assertThat(stage.status().done()).isEqualTo(1);
    }

    @Test
    void whatAHandlerThrowsDropsTheEventAndIsNoConcernOfTheProducer() {
        for (UnaryOperator<LocalStageBuilder<String>> kind :
                List.<UnaryOperator<LocalStageBuilder<String>>>of(s -> s, s -> s.boundary(10, b -> b))) {
            LocalStage<String> stage = stages.add(
                    "s",
                    s -> kind.apply(s)
                            .handler(_ -> {
                                throw new AssertionError("broken");
                            })
                            .onDrop(this::drop));
            assertThat(stage.offer("a")).isEqualTo(Taken.ACCEPTED);
            world.work();
            assertThat(dropped).containsExactly("a FAILED java.lang.AssertionError: broken");
            assertThat(stage.status().lastDrop()).contains("java.lang.AssertionError: broken");
            dropped.clear();
            assertThat(stages.remove("s", SHORT)).isCompleted();
        }
    }

    @Test
    void fullStageRefusesAndTakesAgainWhenThereIsRoom() {
        LocalStage<String> stage = bounded(2, b -> b);
        assertThat(stage.offer("a").isTaken()).isTrue();
        assertThat(stage.offer("b").isTaken()).isTrue();
        assertThat(causeOf(stage.offer("c"))).isEqualTo(Cause.FULL);
        assertThat(stage.status().waiting()).isEqualTo(2);
        assertThat(stage.status().refused()).isEqualTo(1);

        world.work();
        assertThat(handled).containsExactly("a", "b");
        assertThat(stage.offer("c").isTaken()).isTrue();
    }

    @Test
    void expensiveEventsCostMore() {
        LocalStage<String> stage = bounded(5, b -> b.cost(String::length));
        assertThat(stage.offer("aaa").isTaken()).isTrue();
        assertThat(causeOf(stage.offer("bbb"))).isEqualTo(Cause.FULL);
        assertThat(stage.offer("bb").isTaken()).isTrue();
        assertThat(causeOf(stage.offer("cccccc"))).isEqualTo(Cause.TOO_LARGE);
        world.work();
        assertThat(stage.status().waiting()).isZero();
        assertThatIllegalArgumentException().isThrownBy(() -> stage.offer("")).withMessageContaining("cost: 0");
    }

    @Test
    void controlEventsGoFirstAndAreNeverRefused() throws InterruptedException {
        LocalStage<String> stage = bounded(2, b -> b.admission(_ -> _ -> false));
        assertThat(causeOf(stage.offer("a"))).isEqualTo(Cause.NOT_ADMITTED);
        LocalStage<String> full =
                stages.add("full", s -> s.handler(handled::add).boundary(1, b -> b));
        full.offer("b");
        for (int i = 0; i < Gate.MAX_CONTROLS; i++) {
            assertThat(full.control("c" + i)).isTrue();
        }
        world.work();
        assertThat(handled)
                .hasSize(Gate.MAX_CONTROLS + 1)
                .startsWith("c0", "c1")
                .endsWith("b");
        assertThat(full.status().waiting()).isZero();
    }

    @Test
    void interactiveEventsGoFirstButBulkOnesGoOn() {
        LocalStage<String> stage = bounded(100, b -> b.serviceClass(LocalStageTest::classOf));
        for (int i = 0; i < 30; i++) {
            stage.offer("bulk" + i);
            stage.offer("quick" + i);
        }
        world.work();
        assertThat(handled).hasSize(60);
        assertThat(handled.subList(0, 16))
                .filteredOn(event -> event.startsWith("bulk"))
                .hasSize(2);
        assertThat(handled).filteredOn(event -> event.startsWith("bulk")).startsWith("bulk0", "bulk1", "bulk2");
    }

    @Test
    void betterEventsPushOthersOut() {
        LocalStage<String> stage =
                bounded(2, b -> b.serviceClass(LocalStageTest::classOf).overflow(Overflow.shed()));
        stage.offer("bulk0");
        stage.offer("bulk1");
        assertThat(causeOf(stage.offer("bulk2"))).isEqualTo(Cause.FULL);
        assertThat(stage.offer("quick0").isTaken()).isTrue();
        assertThat(stage.offer("quick1").isTaken()).isTrue();
        assertThat(causeOf(stage.offer("quick2"))).isEqualTo(Cause.FULL);
        assertThat(dropped).extracting(line -> line.split(" ", 3)[1]).containsExactly("SHED", "SHED");
        world.work();
        assertThat(handled).containsExactly("quick0", "quick1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> stages.<String>add(
                        "t", t -> t.handler(handled::add).boundary(1, b -> b.overflow(Overflow.shed()))))
                .withMessageContaining("serviceClass");
    }

    @Test
    void anotherHandlerMakesLessOfItWhenTheStageIsFull() {
        LocalStage<String> stage = bounded(1, b -> b.overflow(Overflow.degrade(event -> handled.add(event + "-"))));
        stage.offer("a");
        assertThat(stage.offer("b")).isEqualTo(Taken.DEGRADED);
        assertThat(handled).containsExactly("b-");
        assertThat(stage.status().degraded()).isEqualTo(1);
    }

    @Test
    void whatDoesNotFitIsSpilledAsFarAsThatGoes() {
        List<CompletableFuture<Void>> ways = new ArrayList<>();
        LocalStage<String> stage = bounded(
                1,
                b -> b.overflow(Overflow.spill(2, _ -> {
                    ways.add(new CompletableFuture<>());
                    return ways.getLast();
                })));
        stage.offer("a");
        assertThat(stage.offer("b")).isEqualTo(Taken.SPILLED);
        assertThat(stage.offer("c")).isEqualTo(Taken.SPILLED);
        assertThat(causeOf(stage.offer("d"))).isEqualTo(Cause.FULL);

        world.work();
        CompletableFuture<Void> drained = stage.drain(SHORT);
        assertThat(drained).isNotDone();
        ways.get(0).complete(null);
        ways.get(1).completeExceptionally(new IllegalStateException("no disk"));
        assertThat(drained).isCompleted();
        assertThat(stage.status().spilled()).isEqualTo(1);
        assertThat(dropped).containsExactly("c NOT_SPILLED java.lang.IllegalStateException: no disk");
    }

    @Test
    void producerWaitsForRoomNoLongerThanItIsTo() {
        LocalStage<String> stage = bounded(1, b -> b.overflow(Overflow.block(Duration.ZERO)));
        stage.offer("a");
        assertThat(causeOf(stage.offer("b"))).isEqualTo(Cause.FULL);
    }

    @Test
    void workerThatNeedsRoomMakesItItself() {
        LocalStage<String> last =
                stages.add("last", s -> s.handler(handled::add).boundary(1, b -> b.overflow(Overflow.block(SHORT))));
        LocalStage<String> first = stages.add(
                "first",
                s -> s.handler(event -> {
                            for (int i = 0; i < 5; i++) {
                                assertThat(last.offer(event + i)).isEqualTo(Taken.ACCEPTED);
                            }
                        })
                        .onDrop(this::drop)
                        .boundary(1, b -> b));
        first.offer("a");
        // There is one worker for all, and it is the one that waits.
        world.workers.remove().run();
        world.work();
        assertThat(dropped).isEmpty();
        assertThat(handled).containsExactly("a0", "a1", "a2", "a3", "a4");
    }

    @Test
    void batchHandlerAnswersEachEventAsItLikes() {
        LocalStage<String> stage = stages.add(
                "s",
                s -> s.batchHandler(3, (events, answer) -> {
                            handled.addAll(events.reversed());
                            answer.drop(events.get(1), "not this one");
                            answer.drop(events.get(1), "twice");
                        })
                        .onDrop(this::drop)
                        .boundary(10, b -> b));
        List.of("a", "b", "c").forEach(stage::offer);
        world.work();
        assertThat(handled).containsExactly("c", "b", "a");
        assertThat(dropped).containsExactly("b UNWANTED not this one");
        assertThat(stage.status().done()).isEqualTo(2);
    }

    @Test
    void whatABatchHandlerHasAnsweredIsNotDroppedWhenItThrows() {
        LocalStage<String> stage = stages.add(
                "s",
                s -> s.batchHandler(10, (events, answer) -> {
                            answer.done(events.get(0));
                            answer.drop(events.get(1), "no");
                            throw new IllegalStateException("broken");
                        })
                        .onDrop(this::drop)
                        .boundary(10, b -> b));
        List.of("a", "b", "c").forEach(stage::offer);
        world.work();
        assertThat(dropped).containsExactly("b UNWANTED no", "c FAILED java.lang.IllegalStateException: broken");
        assertThat(stage.status().done()).isEqualTo(1);
    }

    @Test
    void whoWaitsForAnEventHearsThatItIsDropped() {
        List<String> heard = new ArrayList<>();
        boolean[] cancelled = {false};
        Answerable event = new Answerable() {
            @Override
            public void dropped(String reason) {
                heard.add(reason);
            }

            @Override
            public boolean isCancelled() {
                return cancelled[0];
            }
        };
        LocalStage<Answerable> stage = stages.add(
                "s",
                s -> s.handler(_ -> {
                            throw new IllegalStateException("broken");
                        })
                        .boundary(10, b -> b));
        stage.offer(event);
        world.work();
        assertThat(heard).containsExactly("local stage s: FAILED, java.lang.IllegalStateException: broken");

        stage.offer(event);
        cancelled[0] = true;
        world.work();
        assertThat(heard).hasSize(2).last().asString().contains("CANCELLED");
    }

    @Test
    void roomInSeveralStagesIsTakenTogetherOrNotAtAll() {
        LocalStage<String> one = stages.add("one", s -> s.handler(handled::add).boundary(2, b -> b));
        LocalStage<String> two = stages.add("two", s -> s.handler(handled::add).boundary(1, b -> b));
        LocalStage<String> called = stages.add("called", s -> s.handler(handled::add));
        two.offer("x");
        try (Reservation room = new Reservation()) {
            assertThat(room.claim(one, "a")).isEmpty();
            assertThat(room.claim(called, "b")).isEmpty();
            assertThat(room.claim(two, "c")).contains(Cause.FULL);
            assertThat(one.status().waiting()).isEqualTo(1);
        }
        assertThat(one.status().waiting()).isZero();
        world.work();
        assertThat(handled).containsExactly("x");

        try (Reservation room = new Reservation()) {
            assertThat(room.claim(one, "a")).isEmpty();
            assertThat(room.claim(called, "b")).isEmpty();
            assertThat(room.claim(two, "c")).isEmpty();
            world.work();
            assertThat(handled).containsExactly("x");
            room.commit();
        }
        world.work();
        assertThat(handled).containsExactlyInAnyOrder("x", "a", "b", "c");
    }

    @Test
    void stageThatIsRemovedHandlesWhatItHasAndTakesNoMore() throws InterruptedException {
        LocalStage<String> stage = bounded(2, b -> b);
        stage.offer("a");
        CompletableFuture<Void> removed = stages.remove("s", SHORT);
        assertThat(causeOf(stage.offer("b"))).isEqualTo(Cause.CLOSED);
        assertThat(stage.control("c")).isFalse();
        assertThat(removed).isNotDone();
        world.work();
        assertThat(removed).isCompleted();
        assertThat(handled).containsExactly("a");
        assertThat(stages.status()).isEmpty();

        bounded(2, b -> b).offer("d");
        world.work();
        assertThat(handled).containsExactly("a", "d");
    }

    @Test
    void whatWaitsAtTheDeadlineIsDropped() {
        LocalStage<String> stage = bounded(3, b -> b);
        Reservation late = new Reservation();
        assertThat(late.claim(stage, "late")).isEmpty();
        stage.offer("a");
        CompletableFuture<Void> removed = stages.remove("s", SHORT);
        world.pass(SHORT.plusMillis(1));
        assertThat(removed).isCompleted();
        assertThat(dropped).containsExactly("a CLOSED the stage was removed before its turn");
        late.commit();
        assertThat(dropped).hasSize(2);
        world.work();
        assertThat(handled).isEmpty();
    }

    @Test
    void reservationThatIsGivenBackLetsAStageEnd() {
        LocalStage<String> stage = bounded(1, b -> b);
        CompletableFuture<Void> removed;
        try (Reservation room = new Reservation()) {
            assertThat(room.claim(stage, "a")).isEmpty();
            removed = stages.remove("s", SHORT);
            assertThat(removed).isNotDone();
        }
        assertThat(removed).isCompleted();
    }

    @Test
    void asManyWorkersAreCalledAsThereArePlaces() {
        LocalStage<String> stage = bounded(10, b -> b.concurrency(2));
        for (int i = 0; i < 5; i++) {
            stage.offer("e" + i);
        }
        assertThat(world.workers).hasSize(2);
        stage.concurrency(3);
        assertThat(world.workers).hasSize(3);
        assertThat(stage.status().workers()).isEqualTo(3);
        stage.concurrency(1);
        world.work();
        assertThat(handled).hasSize(5);
        assertThatIllegalArgumentException().isThrownBy(() -> stage.concurrency(0));
    }

    @Test
    void workerMakesRoomForOtherStagesAfterSomeTurns() {
        LocalStage<String> busy =
                stages.add("busy", s -> s.handler(handled::add).boundary(1_000, b -> b));
        LocalStage<String> other =
                stages.add("other", s -> s.handler(handled::add).boundary(1, b -> b));
        for (int i = 0; i < 1_000; i++) {
            busy.offer("busy");
        }
        other.offer("other");
        world.work();
        assertThat(handled.indexOf("other")).isBetween(1, 300);
    }

    @Test
    void stagesThatBlockInACircleAreRefused() {
        stages.<String>add(
                "a", s -> s.handler(handled::add).to("b").boundary(1, b -> b.overflow(Overflow.block(SHORT))));
        assertThatThrownBy(() -> stages.<String>add(
                        "b", s -> s.handler(handled::add).to("a").boundary(1, b -> b.overflow(Overflow.block(SHORT)))))
                .isInstanceOf(InvalidPipelineException.class)
                .hasMessageContaining("->");
        stages.<String>add("b", s -> s.handler(handled::add).to("a").boundary(1, b -> b));
    }

    @Test
    void settingsThatMakeNoSenseAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> stages.add("s", s -> {}))
                .withMessageContaining("stage s: no handler");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> stages.add("s", s -> s.batchHandler(2, (_, _) -> {})))
                .withMessageContaining("boundary");
        assertThatIllegalArgumentException().isThrownBy(() -> Boundary.of(0)).withMessageContaining("capacity: 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> stages.remove("nobody", SHORT))
                .withMessageContaining("nobody");
        bounded(1, b -> b);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> bounded(1, b -> b))
                .withMessageContaining("already");
    }

    @Test
    void nothingIsShedIfThatDoesNotMakeRoomEnough() {
        LocalStage<String> stage = bounded(
                10,
                b -> b.cost(event -> event.length() > 6 ? 6 : event.startsWith("bulk") ? 4 : 6)
                        .serviceClass(LocalStageTest::classOf)
                        .overflow(Overflow.shed()));
        stage.offer("quick");
        stage.offer("bulk");
        assertThat(causeOf(stage.offer("quick2"))).isEqualTo(Cause.FULL);
        assertThat(dropped).isEmpty();
        world.work();
        assertThat(handled).containsExactly("quick", "bulk");
    }

    @Test
    void whatThrowsWhereNobodyExpectsItLosesNoEventAndNoRoom() {
        LocalStage<String> stage = bounded(
                1,
                b -> b.overflow(Overflow.spill(1, _ -> {
                    throw new AssertionError("no spill");
                })));
        stage.offer("a");
        for (int i = 0; i < 3; i++) {
            assertThat(stage.offer("b")).isEqualTo(Taken.SPILLED);
        }
        assertThat(dropped).hasSize(3).allMatch(line -> line.startsWith("b NOT_SPILLED"));
        world.work();
        assertThat(stage.drain(SHORT)).isCompleted();

        Answerable awaited = new Answerable() {
            @Override
            public void dropped(String reason) {
                throw new AssertionError("deaf");
            }

            @Override
            public boolean isCancelled() {
                throw new AssertionError("blind");
            }
        };
        List<Drop> heard = new ArrayList<>();
        LocalStage<Answerable> other = stages.add(
                "other",
                s -> s.batchHandler(2, (events, answer) -> {
                            answer.drop(events.getFirst(), null);
                            answer.drop(awaited, "again");
                        })
                        .onDrop((_, drop) -> heard.add(drop))
                        .boundary(2, b -> b));
        other.offer(awaited);
        world.work();
        assertThat(heard).containsExactly(new Drop(Drop.Cause.UNWANTED, Outcome.NO_REASON, Optional.empty()));
        assertThat(other.status().done()).isZero();
    }

    @Test
    void interruptThatAHandlerMeetsIsNotMetByTheNext() {
        LocalStage<String> stage = stages.add(
                "s",
                s -> s.handler(event -> {
                            if (event.equals("a")) {
                                throw new InterruptedException("once");
                            }
                            assertThat(Thread.currentThread().isInterrupted()).isFalse();
                            handled.add(event);
                        })
                        .boundary(3, b -> b));
        List.of("a", "b", "c").forEach(stage::offer);
        world.work();
        assertThat(handled).containsExactly("b", "c");
    }

    @Test
    void reservationInAStageThatIsACallOutlivesItsRemoval() {
        LocalStage<String> called = stages.add("called", s -> s.handler(handled::add));
        try (Reservation room = new Reservation()) {
            assertThat(room.claim(called, "a")).isEmpty();
            assertThat(stages.remove("called", SHORT)).isCompleted();
            assertThat(room.claim(called, "b")).contains(Cause.CLOSED);
            room.commit();
        }
        assertThat(handled).containsExactly("a");
    }

    @Test
    void whatCannotBeHandledForWantOfThreadsIsDropped() {
        LocalStage<String> stage = bounded(3, b -> b);
        try (Reservation room = new Reservation()) {
            assertThat(room.claim(stage, "a")).isEmpty();
            world.hasPool = false;
            room.commit();
        }
        assertThat(dropped).hasSize(1);
        assertThat(stage.status().workers()).isZero();
        assertThat(stage.status().waiting()).isZero();
    }

    @Test
    void threadsAreAskedForNoMoreThanOnceForEachWorker() {
        LocalStage<String> last =
                stages.add("last", s -> s.handler(handled::add).boundary(1, b -> b.overflow(Overflow.block(SHORT))));
        LocalStage<String> first = stages.add(
                "first",
                s -> s.handler(event -> {
                            for (int i = 0; i < 1_000; i++) {
                                last.offer(event);
                            }
                        })
                        .boundary(1, b -> b));
        first.offer("a");
        world.workers.remove().run();
        assertThat(world.workers).hasSizeLessThan(3);
        world.work();
        assertThat(handled).hasSize(1_000);
    }

    @Test
    void nothingIsAddedAfterTheEnd() {
        stages.close();
        assertThatThrownBy(() -> bounded(1, b -> b))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    private LocalStage<String> bounded(int capacity, UnaryOperator<Boundary<String>> settings) {
        return stages.add("s", s -> s.handler(handled::add).onDrop(this::drop).boundary(capacity, settings));
    }

    private void drop(String event, Drop drop) {
        dropped.add("%s %s %s".formatted(event, drop.cause(), drop.text()));
    }

    private static ServiceClass classOf(String event) {
        return event.startsWith("bulk") ? ServiceClass.BULK : ServiceClass.INTERACTIVE;
    }

    private static Cause causeOf(Admission admission) {
        return ((Admission.Refused) admission).cause();
    }
}
