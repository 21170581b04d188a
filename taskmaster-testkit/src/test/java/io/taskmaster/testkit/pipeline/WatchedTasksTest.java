package io.taskmaster.testkit.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.client.BatchResult;
import io.taskmaster.client.TaskMasterClient;
import io.taskmaster.client.Update;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueName;
import io.taskmaster.stage.worker.task.Tracing;
import io.taskmaster.testkit.pipeline.fault.PipelineFaults;
import io.taskmaster.testkit.pipeline.fault.RandomFaults;
import io.taskmaster.testkit.virtual.TimeDriver;
import io.taskmaster.testkit.virtual.VirtualServer;
import io.taskmaster.testkit.virtual.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

final class WatchedTasksTest {

    private static final KitSettings SETTINGS = new KitSettings(
            (_, _) -> Steps.PIPELINE,
            0,
            List.of("worker"),
            Duration.ZERO,
            Duration.ZERO,
            Duration.ZERO,
            0,
            Optional.empty(),
            Duration.ofDays(1),
            1_000,
            Tracing.NONE);

    private final SplittableRandom random = new SplittableRandom(0);
    private final VirtualTime time = new VirtualTime(random.split());
    private final VirtualServer server = new VirtualServer(time, random.split());
    private final KitJournal kitJournal = new KitJournal(time);
    private final KitEnvironment kitEnvironment =
            new KitEnvironment(time, server, kitJournal, new PipelineFaults(_ -> true), SETTINGS, random.split());

    private boolean alive = true;

    private WatchedTasks tasks(Consumer<String> crash) {
        TaskMasterClient client = TaskMasterClient.builder("kit")
                .worker("worker")
                .build(server.wire(() -> 0), time.of(() -> alive), random::nextDouble);
        return new WatchedTasks(kitEnvironment, new RandomFaults(0, random), client, Steps.PIPELINE, "worker", crash);
    }

    private static Update release(String pid) {
        return Update.in(GroupName.of("steps"))
                .release(QueueName.of("first"), Pid.of(pid), Update.UNCONDITIONAL)
                .build();
    }

    @Test
    void aCrashBeforeABatchLeavesTheOtherFaultsOfIt() {
        PipelineFaults _ = kitEnvironment
                .script()
                .atCommit(Steps.FIRST, 1)
                .loseReply()
                .atCommit(Steps.FIRST, 2)
                .crashBefore();
        List<String> crashes = new ArrayList<>();
        CompletableFuture<?> _ = tasks(crashes::add).batch(List.of(release("1"), release("2")));
        assertThat(crashes).containsExactly("crashes before a commit");
        assertThat(kitEnvironment.script().pending())
                .containsExactly("commit 1 of first: lose the reply (missed: the worker crashed before it)");
    }

    @Test
    void whatWaitsToBeSentAgainIsOverOnceTheProcessIsDead() {
        server.refuse();
        WatchedTasks tasks = tasks(_ -> {});
        CompletableFuture<List<BatchResult>> result = tasks.batch(List.of(release("1")));
        new TimeDriver(time).pass(Duration.ofMillis(1));
        assertThat(kitJournal.commits()).isEmpty();
        assertThat(kitJournal.inFlight()).isEqualTo(1);

        alive = false;
        tasks.die();
        new TimeDriver(time).pass(Duration.ofMinutes(1));
        assertThat(kitJournal.inFlight()).isZero();
        assertThat(kitJournal.commits())
                .singleElement()
                .satisfies(commit -> assertThat(commit.isApplied()).isFalse());
        assertThat(result).isNotDone();
    }
}
