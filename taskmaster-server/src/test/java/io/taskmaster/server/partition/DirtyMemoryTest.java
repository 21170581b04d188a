package io.taskmaster.server.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.Command;
import io.taskmaster.server.engine.Command.Enqueue;
import io.taskmaster.server.engine.Command.IfExists;
import io.taskmaster.server.engine.Command.Payload;
import io.taskmaster.server.engine.Command.Update;
import io.taskmaster.server.engine.EngineSettings;
import io.taskmaster.server.engine.Reply;
import io.taskmaster.server.partition.log.LogSettings;
import io.taskmaster.server.store.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What happens to updates while a slow store keeps the memory for dirty state full. */
final class DirtyMemoryTest {

    private static final QueueKey QUEUE = QueueKey.of("", "q");
    private static final int ADMISSION_MILLIS = 1_000;

    private final Queue<Runnable> inStore = new ArrayDeque<>();
    private final MemoryStore store = new MemoryStore(inStore::add);
    private final TurnedLoop loop = new TurnedLoop();

    /** So little that one task fills it. */
    private final Partition partition = open(new MemoryBudget(1 << 20, 1, 1 << 20, Long.MAX_VALUE));

    private final List<String> told = new ArrayList<>();

    @Test
    void updatesThatEnqueueWaitInTheOrderOfTheirArrival() {
        List.of("a", "b", "c", "d").forEach(this::enqueue);
        loop.turn();
        assertThat(told).isEmpty();

        loop.pass(ADMISSION_MILLIS - 1);
        everythingLands();
        assertThat(told).containsExactly("a", "b", "c", "d");
    }

    @Test
    void whoWaitsTooLongIsRefusedAndToldWhenToComeAgain() {
        enqueue("a");
        enqueue("b");
        loop.pass(ADMISSION_MILLIS / 2);
        enqueue("c");
        loop.pass(ADMISSION_MILLIS / 2 + 1);
        assertThat(told).containsExactly("b: OVERLOADED, again after PT0.1S");

        everythingLands();
        assertThat(told).containsExactly("b: OVERLOADED, again after PT0.1S", "a", "c");
    }

    @Test
    void nobodyIsRefusedWhenMemoryComesBackHoweverLongThatTook() {
        enqueue("a");
        List.of("b", "c", "d").forEach(this::enqueue);
        loop.pass(3 * Entrance.STANDING_MILLIS);
        assertThat(told).isEmpty();

        everythingLands();
        assertThat(told).containsExactly("a", "b", "c", "d");
    }

    @Test
    void whatFreesMemoryDoesNotWait() {
        enqueue("a");
        enqueue("b");
        submit(
                "dequeued",
                new Update(
                        QUEUE.group(),
                        List.of(),
                        List.of(new Command.Dequeue(QUEUE.name(), Pid.of("a"), 0)),
                        List.of(),
                        List.of()));
        loop.turn();
        commitsLand();

        assertThat(told).containsExactly("a", "dequeued");
    }

    @Test
    void whoWaitsWhenTheEpochEndsIsTold() {
        enqueue("a");
        enqueue("b");
        loop.turn();
        partition.stop("crash");
        assertThat(told).anySatisfy(line -> assertThat(line).startsWith("b: PARTITION_OPENING"));
    }

    private Partition open(MemoryBudget budget) {
        PartitionSettings settings = new PartitionSettings(
                new EngineSettings(8, 2, 120_000),
                LogSettings.DEFAULT,
                FlushSettings.DEFAULTS,
                64,
                100_000,
                16,
                1 << 20,
                100,
                ADMISSION_MILLIS,
                20,
                100);
        Partition opened = new Partition(0, "test", store, loop, settings, budget, new Backlog(20), new Random(1));
        var opening = opened.open();
        everythingLands();
        opening.join();
        return opened;
    }

    /** What is in the store's hands now, and nothing that comes of it. */
    private void commitsLand() {
        List<Runnable> landing = List.copyOf(inStore);
        inStore.clear();
        landing.forEach(Runnable::run);
        loop.turn();
    }

    private void everythingLands() {
        loop.turn();
        while (!inStore.isEmpty()) {
            commitsLand();
        }
    }

    private void enqueue(String pid) {
        Enqueue enqueue = new Enqueue(
                QUEUE.name(), Optional.of(Pid.of(pid)), new Payload(Bytes.of(pid), Map.of()), IfExists.COLLAPSE, 0);
        submit(pid, new Update(GroupName.EMPTY, List.of(enqueue), List.of(), List.of(), List.of()));
        loop.turn();
    }

    private void submit(String name, Command command) {
        partition.submit(command, new Node.ReplySink() {
            @Override
            public void reply(Reply reply) {
                told.add(name);
            }

            @Override
            public void fail(TaskMasterException error) {
                told.add(name + ": " + error.code()
                        + (error.code() == ErrorCode.OVERLOADED
                                ? ", again after " + error.retryAfter().orElse(Duration.ZERO)
                                : ""));
            }
        });
    }
}
