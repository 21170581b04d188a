package io.taskmaster.stage.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.taskmaster.stage.Admission;
import io.taskmaster.stage.local.BlockingCycle.Place;
import io.taskmaster.stage.local.BlockingCycle.Way;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class DrainOrderTest {

    private final Map<String, Place> added = new LinkedHashMap<>();

    private void add(String name, String... next) {
        added.put(name, new Place(true, Way.FREE, Set.of(next)));
    }

    @Test
    void ofStagesThatSayNothingTheLastAddedIsFirst() {
        add("a");
        add("b");
        add("c");
        assertThat(DrainOrder.of(added)).containsExactly("c", "b", "a");
    }

    @Test
    void stageComesAfterAllThatHandOnToIt() {
        add("source", "left", "right", "sink");
        add("left", "sink");
        add("right", "sink");
        add("other");
        add("sink", "typo");
        assertThat(DrainOrder.of(added)).containsExactly("other", "source", "right", "left", "sink");
    }

    @Test
    void stagesThatWereAddedLastFirstStayInTheirOrder() {
        add("sink");
        add("middle", "sink");
        add("source", "middle");
        assertThat(DrainOrder.of(added)).containsExactly("source", "middle", "sink");
    }

    @Test
    void circleIsOpenedAtTheLastAddedAfterThoseBeforeItAndBeforeThoseBehindIt() {
        add("source", "b");
        add("a", "b", "sink");
        add("b", "a");
        add("sink", "end");
        add("end");
        assertThat(DrainOrder.of(added)).containsExactly("source", "b", "a", "sink", "end");
    }

    @Test
    void stageThatHandsOnToItselfIsNoCircle() {
        add("a", "a", "b");
        add("b", "b");
        assertThat(DrainOrder.of(added)).containsExactly("a", "b");
    }

    @Test
    void twoCirclesInARowAreOpenedInTheirOrder() {
        add("a", "b");
        add("b", "a", "c");
        add("c", "d");
        add("d", "c");
        assertThat(DrainOrder.of(added)).containsExactly("b", "a", "d", "c");
    }

    @Test
    void noEventIsLostThoughTheSourceWasAddedFirst() throws InterruptedException {
        CountDownLatch busy = new CountDownLatch(1);
        List<Admission> refusals = Collections.synchronizedList(new ArrayList<>());
        List<Integer> arrived = Collections.synchronizedList(new ArrayList<>());
        CompletableFuture<LocalStage<Integer>> middle = new CompletableFuture<>();
        CompletableFuture<LocalStage<Integer>> sink = new CompletableFuture<>();
        LocalStages stages = LocalStages.start();
        LocalStage<Integer> source = stages.add(
                "source",
                stage -> stage.handler(event -> {
                            busy.await();
                            forward(event, middle.join(), refusals);
                        })
                        .to("middle")
                        .boundary(100, boundary -> boundary.blocking()));
        middle.complete(stages.add(
                "middle",
                stage -> stage.handler(event -> forward(event, sink.join(), refusals))
                        .to("sink")));
        sink.complete(stages.add("sink", stage -> stage.handler(arrived::add).boundary(100, boundary -> boundary)));
        for (int i = 0; i < 100; i++) {
            assertThat(source.offer(i).isTaken()).isTrue();
        }
        Thread closing = Thread.ofPlatform().start(stages::close);
        // The close waits for the source, and so has closed the stages before it.
        await().until(() -> closing.getState() == Thread.State.WAITING);
        busy.countDown();
        closing.join();
        assertThat(refusals).isEmpty();
        assertThat(arrived)
                .containsExactlyElementsOf(IntStream.range(0, 100).boxed().toList());
    }

    private static void forward(Integer event, LocalStage<Integer> next, List<Admission> refusals) {
        Admission admission = next.offer(event);
        if (!admission.isTaken()) {
            refusals.add(admission);
        }
    }
}
