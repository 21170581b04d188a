package io.taskmaster.stage.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.stage.Admission.Cause;
import io.taskmaster.stage.Admission.Taken;
import io.taskmaster.stage.Answerable;
import io.taskmaster.stage.InvalidPipelineException;
import io.taskmaster.stage.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Tests of the life cycle of a local stage, and of the outcomes of its events. */
final class LocalStageTest extends SomeStages {

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
        List<String> drops = new ArrayList<>();
        boolean[] cancelled = {false};
        Answerable event = new Answerable() {
            @Override
            public void dropped(String reason) {
                drops.add(reason);
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
        assertThat(drops).containsExactly("local stage s: FAILED, java.lang.IllegalStateException: broken");

        stage.offer(event);
        cancelled[0] = true;
        world.work();
        assertThat(drops).hasSize(2).last().asString().contains("CANCELLED");

        LocalStage<Answerable> call = stages.add("call", s -> s.handler(_ -> drops.add("called")));
        assertThat(call.offer(event).isTaken()).isTrue();
        assertThat(drops).hasSize(3).last().asString().contains("CANCELLED");
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
        assertThat(dropped).containsExactly("a CLOSED the stage was removed before it handled the event");
        late.commit();
        assertThat(dropped).hasSize(2);
        world.work();
        assertThat(handled).isEmpty();
    }

    @Test
    void reservationThatIsGivenBackLetsAStageEnd() {
        LocalStage<String> stage = bounded(1, b -> b);
        CompletableFuture<Void> removed;
        try (Reservation reservation = new Reservation()) {
            assertThat(reservation.claim(stage, "a")).isEmpty();
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
                .withMessageContaining("duplicate name");
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
        List<Drop> drops = new ArrayList<>();
        LocalStage<Answerable> other = stages.add(
                "other",
                s -> s.batchHandler(2, (events, answer) -> {
                            answer.drop(events.getFirst(), null);
                            answer.drop(awaited, "again");
                        })
                        .onDrop((_, drop) -> drops.add(drop))
                        .boundary(2, b -> b));
        other.offer(awaited);
        world.work();
        assertThat(drops).containsExactly(new Drop(Drop.Cause.UNWANTED, Outcome.NO_REASON, Optional.empty()));
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
    void whatCannotBeHandledForWantOfThreadsIsDropped() {
        LocalStage<String> stage = bounded(3, b -> b);
        try (Reservation reservation = new Reservation()) {
            assertThat(reservation.claim(stage, "a")).isEmpty();
            world.hasPool = false;
            reservation.commit();
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
    void callThatIsUnderWayIsWaitedFor() {
        List<CompletableFuture<Void>> drains = new ArrayList<>();
        LocalStage<String> stage = stages.add(
                "s",
                s -> s.handler(_ -> {
                    drains.add(stages.remove("s", SHORT));
                    assertThat(drains.getFirst()).isNotDone();
                }));
        assertThat(stage.offer("a")).isEqualTo(Taken.ACCEPTED);
        assertThat(dropped).isEmpty();
        assertThat(stage.status().done()).isEqualTo(1);
        assertThat(drains.getFirst()).isCompleted();
        assertThat(causeOf(stage.offer("b"))).isEqualTo(Cause.CLOSED);
    }

    @Test
    void callThatTakesTooLongIsNot() {
        List<CompletableFuture<Void>> drains = new ArrayList<>();
        LocalStage<String> stage = stages.add(
                "s",
                s -> s.handler(event -> {
                    drains.add(stages.remove("s", SHORT));
                    world.time.run(SHORT);
                    assertThat(drains.getFirst()).isCompleted();
                    handled.add(event);
                }));
        assertThat(stage.offer("a")).isEqualTo(Taken.ACCEPTED);
        assertThat(handled).containsExactly("a");
    }

    @Test
    void callThatRoomIsReservedForIsWaitedForToo() {
        LocalStage<String> stage = stages.add("s", s -> s.handler(handled::add));
        try (Reservation reservation = new Reservation()) {
            assertThat(reservation.claim(stage, "a")).isEmpty();
            assertThat(reservation.claim(stage, "b")).isEmpty();
            CompletableFuture<Void> drained = stages.remove("s", SHORT);
            assertThat(drained).isNotDone();
            reservation.commit();
            assertThat(drained).isCompleted();
            assertThat(handled).containsExactly("a", "b");
            assertThat(reservation.claim(stage, "c")).contains(Cause.CLOSED);
        }
    }

    @Test
    void nothingIsAddedAfterTheEnd() {
        stages.close();
        assertThatThrownBy(() -> bounded(1, b -> b))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }
}
