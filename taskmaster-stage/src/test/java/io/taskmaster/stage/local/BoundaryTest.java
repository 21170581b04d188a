package io.taskmaster.stage.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.taskmaster.stage.Admission.Cause;
import io.taskmaster.stage.Admission.Taken;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests of a boundary: the admission of events, their order, and the treatment of those that are not admitted. */
final class BoundaryTest extends SomeStages {

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
        for (int i = 0; i < AdmissionGate.MAX_CONTROLS; i++) {
            assertThat(full.control("c" + i)).isTrue();
        }
        world.work();
        assertThat(handled)
                .hasSize(AdmissionGate.MAX_CONTROLS + 1)
                .startsWith("c0", "c1")
                .endsWith("b");
        assertThat(full.status().waiting()).isZero();
    }

    @Test
    void interactiveEventsGoFirstButBulkOnesGoOn() {
        LocalStage<String> stage = bounded(100, b -> b.serviceClass(SomeStages::classOf));
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
                bounded(2, b -> b.serviceClass(SomeStages::classOf).overflow(Overflow.shed()));
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
    void nothingIsShedIfThatDoesNotMakeRoomEnough() {
        LocalStage<String> stage = bounded(
                10,
                b -> b.cost(event -> event.length() > 6 ? 6 : event.startsWith("bulk") ? 4 : 6)
                        .serviceClass(SomeStages::classOf)
                        .overflow(Overflow.shed()));
        stage.offer("quick");
        stage.offer("bulk");
        assertThat(causeOf(stage.offer("quick2"))).isEqualTo(Cause.FULL);
        assertThat(dropped).isEmpty();
        world.work();
        assertThat(handled).containsExactly("quick", "bulk");
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
        List<CompletableFuture<Void>> spills = new ArrayList<>();
        LocalStage<String> stage = bounded(
                1,
                b -> b.overflow(Overflow.spill(2, _ -> {
                    spills.add(new CompletableFuture<>());
                    return spills.getLast();
                })));
        stage.offer("a");
        assertThat(stage.offer("b")).isEqualTo(Taken.SPILLED);
        assertThat(stage.offer("c")).isEqualTo(Taken.SPILLED);
        assertThat(causeOf(stage.offer("d"))).isEqualTo(Cause.FULL);

        world.work();
        CompletableFuture<Void> drained = stage.drain(SHORT);
        assertThat(drained).isNotDone();
        spills.get(0).complete(null);
        spills.get(1).completeExceptionally(new IllegalStateException("no disk"));
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
        // There is one worker for all stages, and it is the one that waits.
        world.workers.remove().run();
        world.work();
        assertThat(dropped).isEmpty();
        assertThat(handled).containsExactly("a0", "a1", "a2", "a3", "a4");
    }

    @Test
    void roomInSeveralStagesIsTakenTogetherOrNotAtAll() {
        LocalStage<String> one = stages.add("one", s -> s.handler(handled::add).boundary(2, b -> b));
        LocalStage<String> two = stages.add("two", s -> s.handler(handled::add).boundary(1, b -> b));
        LocalStage<String> called = stages.add("called", s -> s.handler(handled::add));
        two.offer("x");
        try (Reservation reservation = new Reservation()) {
            assertThat(reservation.claim(one, "a")).isEmpty();
            assertThat(reservation.claim(called, "b")).isEmpty();
            assertThat(reservation.claim(two, "c")).contains(Cause.FULL);
            assertThat(one.status().waiting()).isEqualTo(1);
        }
        assertThat(one.status().waiting()).isZero();
        world.work();
        assertThat(handled).containsExactly("x");

        try (Reservation reservation = new Reservation()) {
            assertThat(reservation.claim(one, "a")).isEmpty();
            assertThat(reservation.claim(called, "b")).isEmpty();
            assertThat(reservation.claim(two, "c")).isEmpty();
            world.work();
            assertThat(handled).containsExactly("x");
            reservation.commit();
        }
        world.work();
        assertThat(handled).containsExactlyInAnyOrder("x", "a", "b", "c");
    }
}
