package io.taskmaster.stage.worker.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.client.LeaseKeeper;
import io.taskmaster.client.LeasedTask;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.stage.BatchHandler;
import io.taskmaster.stage.Codec;
import io.taskmaster.stage.Outcome;
import io.taskmaster.stage.SimulatedTime;
import io.taskmaster.stage.Stage;
import io.taskmaster.stage.StageSettings;
import io.taskmaster.stage.TaskQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of the events of a call of a handler and of their order, when its outcomes come from other threads. */
final class AttemptTest {

    private static final TaskQueue<String> IN = TaskQueue.of("in", Codec.utf8());

    private final Queue<String> events = new ConcurrentLinkedQueue<>();
    private final CountDownLatch encoding = new CountDownLatch(1);
    private final CountDownLatch proceed = new CountDownLatch(1);
    private @Nullable Thread other;

    @Test
    void lastWordComesAfterTheOutcomeThatIsStillBeingMade() throws InterruptedException {
        TaskQueue<String> slow = TaskQueue.of("out", Codec.text(this::encodeSlowly, text -> text));
        BatchHandler<String> elsewhere = (tasks, finish) -> {
            other = Thread.ofVirtual()
                    .start(() -> finish.with(tasks.getFirst(), Outcome.handOff(slow.task("payload"))));
            encoding.await();
        };
        Attempt<String> attempt =
                attempt(new Stage<>(IN, elsewhere, true, List.of(slow), Optional.empty(), StageSettings.DEFAULT));
        attempt.run();
        assertThat(events).isEmpty();

        proceed.countDown();
        Objects.requireNonNull(other, "the thread of the outcome").join();
        assertThat(events).containsExactly("HandOff", "returned");
    }

    @Test
    void nothingIsHeardAfterTheLastWord() {
        BatchHandler<String> noOp = (_, _) -> {};
        Stage<String> stage = new Stage<>(IN, noOp, true, List.of(), Optional.empty(), StageSettings.DEFAULT);
        InFlightTask<String> task = task(stage);
        RunningTask<String> presented = task.present();
        Attempt<String> attempt = new Attempt<>(stage, List.of(presented), Tracing.NONE, 0, listener());
        attempt.run();
        assertThat(events).isEmpty();
        attempt.cancel();
        assertThat(events).containsExactly("returned");
        assertThat(presented.isCancelled()).isTrue();
        attempt.with(presented, Outcome.done());
        attempt.cancel();
        assertThat(events).containsExactly("returned");
        assertThat(task.present().isCancelled()).isFalse();
    }

    private String encodeSlowly(String payload) {
        encoding.countDown();
        try {
            proceed.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return payload;
    }

    private Attempt<String> attempt(Stage<String> stage) {
        return new Attempt<>(stage, List.of(task(stage).present()), Tracing.NONE, 0, listener());
    }

    private Attempt.Listener<String> listener() {
        return new Attempt.Listener<>() {
            @Override
            public void concluded(InFlightTask<String> task, HandlerResult handlerResult) {
                events.add(handlerResult.outcome().getClass().getSimpleName());
            }

            @Override
            public void returned(Attempt<String> attempt) {
                events.add("returned");
            }
        };
    }

    private static InFlightTask<String> task(Stage<String> stage) {
        LeaseKeeper keeper = new LeaseKeeper(
                (_, _) -> new CompletableFuture<>(), new SimulatedTime(new SplittableRandom(1)), Duration.ofMinutes(1));
        LeasedTask lease = new LeasedTask(
                QueueKey.of("g", "in"), Pid.of("p"), Bytes.of("data"), Map.of(), 1, Instant.MAX, 1, Instant.EPOCH);
        return new InFlightTask<>(stage, keeper.keep(lease), "", 0);
    }
}
