package io.taskmaster.testkit.pipeline;

import static io.taskmaster.testkit.pipeline.PipelineAssertions.assertThat;
import static io.taskmaster.testkit.pipeline.Steps.FIRST;
import static io.taskmaster.testkit.pipeline.Steps.LAST;
import static io.taskmaster.testkit.pipeline.Steps.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.taskmaster.client.PeekRequest;
import io.taskmaster.client.Update.IfExists;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.stage.Codec;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.Pipeline;
import io.taskmaster.stage.Task;
import io.taskmaster.stage.TaskQueue;
import io.taskmaster.testkit.virtual.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class PipelineKitTest {

    private static final TaskQueue<String> MAIL = TaskQueue.family("mail", Codec.utf8());
    private static final TaskQueue<Integer> NUMBERS =
            TaskQueue.of("numbers", Codec.text(String::valueOf, Integer::valueOf));

    @Test
    void tasksGoThroughAllStages() {
        try (PipelineKit kit = PipelineKit.of(Steps.PIPELINE).start()) {
            kit.enqueue(FIRST.task("b").at("2"), FIRST.task("a").at("1"));
            kit.runUntilIdle();

            assertThat(kit).isIdle().handedOffOnce(FIRST).handedOffOnce(SECOND).handedOff(FIRST, "1", SECOND);
            assertThat(kit.queue(LAST))
                    .containsExactly("aa!", "bb!")
                    .hasPids("1", "2")
                    .hasAvailable(2);
            assertThat(kit.queue(FIRST)).isEmpty();
        }
    }

    @Test
    void nothingHappensUnlessTimePasses() {
        try (PipelineKit kit = PipelineKit.of(Steps.PIPELINE).start()) {
            kit.enqueue(FIRST.task("a").at("1"));
            assertThat(kit.commits()).isEmpty();
            kit.advance(Duration.ofMillis(20));
            assertThat(kit.commits()).hasSize(2);
        }
    }

    @Test
    void timePassesExactly() {
        try (PipelineKit kit = PipelineKit.of(Steps.PIPELINE).start()) {
            kit.enqueue(FIRST.task("a").at("1").notBefore(kit.now().plus(Duration.ofDays(1))));
            kit.advance(Duration.ofDays(1).minusMillis(1));
            assertThat(kit.queue(FIRST)).hasDelayed(1);
            assertThat(kit.attempts(FIRST)).isZero();
            assertThat(kit.now())
                    .isEqualTo(VirtualTime.START.plus(Duration.ofDays(1)).minusMillis(1));

            kit.advance(Duration.ofMillis(20));
            assertThat(kit.queue(LAST)).hasSize(1);
        }
    }

    @Test
    void whatFailsIsTriedAgainAndThenDead() {
        try (PipelineKit kit =
                PipelineKit.of(Steps.alone(Outcome.retry("no good"))).start()) {
            kit.enqueue(FIRST.task("a").at("1"));
            kit.runUntilIdle();

            assertThat(kit).hasAttempts(FIRST, 3);
            assertThat(kit.deadLetters(FIRST)).hasDead("1", "no good").hasSize(1);
            assertThat(kit.commits())
                    .extracting(commit -> commit.ending().getClass().getSimpleName())
                    .containsExactly("Retry", "Retry", "Dead");
        }
    }

    @Test
    void dataThatCannotBeReadIsADeadLetterThatCanBeLookedAt() {
        Pipeline sums = Pipeline.in("sums")
                .stage(NUMBERS, stage -> stage.handler(_ -> Outcome.done()))
                .build();
        try (PipelineKit kit = PipelineKit.of(sums).start()) {
            kit.enqueue(NUMBERS.task(4).at("good"));
            kit.await(kit.client().enqueue(QueueKey.of("sums", "numbers"), Pid.of("bad"), Bytes.of("four")));
            kit.runUntilIdle();

            QueueContents<Integer> dead = kit.deadLetters(NUMBERS);
            assertThat(dead).hasPids("bad");
            assertThat(dead.tasks().getFirst().reason().orElseThrow()).startsWith("data: cannot be decoded");
            assertThatThrownBy(dead::payloads).isInstanceOf(NumberFormatException.class);
        }
    }

    @Test
    void aCircleEndsWithWhatIsLeft() {
        try (PipelineKit kit = PipelineKit.of(Steps.alone(Outcome.handOff(FIRST.task("again"))))
                .limit(Duration.ofDays(1), 20_000)
                .start()) {
            kit.enqueue(FIRST.task("a").at("1"));
            assertThatThrownBy(kit::runUntilIdle)
                    .isInstanceOfSatisfying(NotIdleException.class, circle -> {
                        assertThat(circle.waiting()).hasSize(1);
                        assertThat(circle.waiting().getFirst().queue()).isEqualTo(QueueKey.of("steps", "first"));
                    })
                    .hasMessageContaining("steps/first: ")
                    .hasMessageContaining("first[1]: handed off to first[1] (applied)");
        }
    }

    @Test
    void whatNobodyWorksOnEndsAtTheLimitOfTime() {
        try (PipelineKit kit = PipelineKit.of(Steps.PIPELINE)
                .limit(Duration.ofHours(1), Long.MAX_VALUE)
                .start()) {
            kit.worker().crash();
            kit.enqueue(FIRST.task("a").at("1"));
            assertThatThrownBy(kit::runUntilIdle)
                    .isInstanceOf(NotIdleException.class)
                    .hasMessageContaining("1 available")
                    .hasMessageContaining("no commits");
            assertThat(Duration.between(VirtualTime.START, kit.now())).isEqualTo(Duration.ofHours(1));
        }
    }

    @Test
    void familiesAreReadAsOne() {
        Pipeline shop = Pipeline.in("shop")
                .stage(
                        MAIL,
                        stage -> stage.handler(task -> task.member().equals("ann")
                                        ? Outcome.dead("moved")
                                        : Outcome.handOff(LAST.task("x")))
                                .to(LAST)
                                .maxPerQueue(1))
                .sinks(LAST)
                .build();
        try (PipelineKit kit = PipelineKit.of(shop).start()) {
            kit.enqueue(
                    MAIL.task("ann", "hello").at("1"), MAIL.task("bob", "hi").at("1"));
            assertThat(kit.queue(MAIL)).containsExactly("hello", "hi");
            kit.runUntilIdle();
            assertThat(kit.queue(MAIL)).isEmpty();
            assertThat(kit.deadLetters(MAIL)).hasDead("1", "moved").hasSize(1);
        }
    }

    @Test
    void aPipelineInAllGroupsRunsInEach() {
        Pipeline everywhere = Pipeline.inAllGroups()
                .stage(
                        FIRST,
                        stage -> stage.handler(task -> Outcome.handOff(LAST.task(task.payload())))
                                .to(LAST))
                .sinks(LAST)
                .build();
        try (PipelineKit kit = PipelineKit.of(everywhere).start()) {
            kit.enqueue(GroupName.of("a"), FIRST.task("x").at("1"));
            kit.enqueue(GroupName.of("b"), FIRST.task("y").at("1"));
            kit.runUntilIdle();
            assertThat(kit.queue(LAST).tasks())
                    .extracting(task -> task.queue().toString())
                    .containsExactly("a/last", "b/last");
        }
    }

    @Test
    void batchesAreFilledAsTheyCome() {
        List<Integer> sizes = new ArrayList<>();
        Pipeline index = Pipeline.in("index")
                .stage(
                        FIRST,
                        stage -> stage.batchHandler(10, (tasks, finish) -> {
                                    sizes.add(tasks.size());
                                    tasks.forEach(task -> finish.with(task, Outcome.done()));
                                })
                                .concurrency(1))
                .build();
        try (PipelineKit kit = PipelineKit.of(index).start()) {
            Steps.enqueue(kit, 25);
            kit.runUntilIdle();
            assertThat(sizes).contains(10);
            assertThat(sizes.stream().mapToInt(Integer::intValue).sum()).isEqualTo(25);
        }
    }

    @Test
    void tasksOfAKeyStayInOrderWithTwoHandlers() {
        List<String> done = new ArrayList<>();
        Pipeline shop = Pipeline.in("shop")
                .stage(
                        FIRST,
                        stage -> stage.handler(task -> {
                                    done.add(task.payload());
                                    return Outcome.done();
                                })
                                .perKey(task -> task.headers().get("customer"), 1))
                .build();
        Seeds.each(20, seed -> {
            done.clear();
            try (PipelineKit kit = PipelineKit.of(shop)
                    .seed(seed)
                    .handling(Duration.ofSeconds(1))
                    .start()) {
                for (int i = 0; i < 5; i++) {
                    kit.enqueue(FIRST.task("mail " + i).at("p" + i).headers(Map.of("customer", "ann")));
                }
                kit.runUntilIdle();
                assertThat(done).containsExactly("mail 0", "mail 1", "mail 2", "mail 3", "mail 4");
            }
        });
    }

    @Test
    void busyKeyIsGivenBackInOrderAndPostponedTasksComeAgainWithoutAnAttempt() {
        List<String> done = new ArrayList<>();
        List<Integer> attempts = new ArrayList<>();
        Pipeline shop = Pipeline.in("shop")
                .stage(
                        FIRST,
                        stage -> stage.handler(task -> {
                                    attempts.add(task.attempt());
                                    if (task.payload().equals("ben") && !done.contains("ben comes later")) {
                                        done.add("ben comes later");
                                        return Outcome.postpone(Duration.ofDays(1), "not today");
                                    }
                                    done.add(task.payload());
                                    return Outcome.done();
                                })
                                .perKey(task -> task.payload().substring(0, 3), 1)
                                .concurrency(4)
                                .prefetch(8))
                .build();
        Seeds.each(10, seed -> {
            done.clear();
            attempts.clear();
            try (PipelineKit kit = PipelineKit.of(shop)
                    .seed(seed)
                    .handling(Duration.ofSeconds(1))
                    .start()) {
                for (int i = 10; i < 50; i++) {
                    kit.enqueue(FIRST.task("ann " + i).at("p" + i));
                }
                kit.enqueue(FIRST.task("ben").at("q"));
                kit.runUntilIdle();
            }
            assertThat(done.indexOf("ben comes later"))
                    .as("not after all of the busy key")
                    .isBetween(0, 39);
            assertThat(done).endsWith("ben").hasSize(42);
            assertThat(done.stream().filter(payload -> payload.startsWith("ann")))
                    .isSorted();
            assertThat(attempts).containsOnly(1);
        });
    }

    @Test
    void theServerComesBackWithAllItHad() {
        try (PipelineKit kit = PipelineKit.of(Steps.PIPELINE).start()) {
            Steps.enqueue(kit, 20);
            kit.advance(Duration.ofMillis(2));
            kit.restartServer();
            assertThat(kit).satisfies(those -> assertThat(those.waiting()).isNotEmpty());
            kit.runUntilIdle();
            assertThat(kit).handedOffOnce(FIRST).handedOffOnce(SECOND);
            assertThat(kit.queue(LAST)).hasSize(20);
        }
    }

    @Test
    void aHandlerMayNotMoveTime() {
        List<Throwable> thrown = new ArrayList<>();
        List<PipelineKit> kits = new ArrayList<>();
        Pipeline wrong = Pipeline.in("steps")
                .stage(
                        FIRST,
                        stage -> stage.handler(_ -> {
                            try {
                                kits.getFirst().runUntilIdle();
                            } catch (IllegalStateException e) {
                                thrown.add(e);
                            }
                            return Outcome.done();
                        }))
                .build();
        try (PipelineKit kit = PipelineKit.of(wrong).start()) {
            kits.add(kit);
            Steps.enqueue(kit, 1);
            kit.runUntilIdle();
        }
        assertThat(thrown).singleElement().satisfies(e -> assertThat(e).hasMessageContaining("in a handler"));
    }

    @Test
    void anEnqueueThatIsRefusedFailsTheTest() {
        try (PipelineKit kit = PipelineKit.of(Steps.PIPELINE).start()) {
            kit.worker().crash();
            kit.enqueue(FIRST.task("a").at("1"));
            assertThatThrownBy(() -> kit.enqueue(FIRST.task("b").at("1").ifExists(IfExists.FAIL)))
                    .isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void queuesOfMoreThanOnePageAreReadWhole() {
        try (PipelineKit kit = PipelineKit.of(Steps.PIPELINE).start()) {
            kit.worker().crash();
            Steps.enqueue(kit, 250);
            assertThat(kit.queue(FIRST)).hasSize(250).hasAvailable(250);
            assertThat(kit.await(kit.client().peek(PeekRequest.of(QueueKey.of("steps", "first"))))
                            .tasks())
                    .hasSize(100);
        }
    }

    @Test
    void thereIsNoThreadButTheTests() {
        List<String> threads = new ArrayList<>();
        Pipeline pipeline = Pipeline.in("steps")
                .stage(
                        FIRST,
                        stage -> stage.handler((Task<String> _) -> {
                            threads.add(Thread.currentThread().getName());
                            return Outcome.done();
                        }))
                .build();
        try (PipelineKit kit = PipelineKit.of(pipeline).start()) {
            Steps.enqueue(kit, 3);
            kit.runUntilIdle();
        }
        assertThat(threads).hasSize(3).containsOnly(Thread.currentThread().getName());
    }
}
