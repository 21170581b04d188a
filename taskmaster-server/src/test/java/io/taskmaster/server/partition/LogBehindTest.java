package io.taskmaster.server.partition;

import static org.assertj.core.api.Assertions.assertThat;

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
import io.taskmaster.server.engine.Reply;
import io.taskmaster.server.store.memory.MemoryStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who goes first, who waits, and who is refused while a store takes less than comes. */
final class LogBehindTest {

    private static final QueueKey QUEUE = QueueKey.of("", "q");
    private static final PartitionSettings SETTINGS = PartitionSettings.DEFAULTS;
    private static final int TASK_BYTES = (int) Backlog.MIN_BYTES;

    private final Queue<Runnable> inStore = new ArrayDeque<>();
    private final TurnedLoop loop = new TurnedLoop();
    private final Partition partition = new Partition(
            0,
            "test",
            new MemoryStore(inStore::add),
            loop,
            SETTINGS,
            new MemoryBudget(1 << 20, 1 << 20, 1 << 20, Long.MAX_VALUE),
            new Backlog(SETTINGS.logWaitMillis()),
            new Random(1));
    private final List<String> told = new ArrayList<>();

    /** Opens it, and shows it a log that is fast at first, and then so slow that only one task may wait for it. */
    @BeforeEach
    void openAndSlowDown() {
        var opening = partition.open();
        everythingLands();
        opening.join();
        enqueue("first", false);
        everythingLands();
        enqueue("slow", false);
        loop.pass(1_000 * SETTINGS.logWaitMillis());
        everythingLands();
        told.clear();
    }

    @Test
    void interactiveRequestsGoBeforeBulkOnesThatCameEarlier() {
        enqueue("busy", false);
        enqueue("bulk 1", true);
        enqueue("bulk 2", true);
        enqueue("interactive 1", false);
        enqueue("interactive 2", false);
        everythingLands();

        assertThat(told).containsExactly("busy", "interactive 1", "interactive 2", "bulk 1", "bulk 2");
    }

    @Test
    void noMoreIsInTheLogThanItTakesInTime() {
        for (int i = 0; i < 10; i++) {
            enqueue("task " + i, i % 2 == 0);
        }
        loop.turn();

        assertThat(inStore).hasSize(1);
    }

    @Test
    void whoOnlyLooksDoesNotWaitBehindWhoWaitsForTheLog() {
        enqueue("busy", false);
        enqueue("waits", false);
        submit("looks", new Command.Peek(QUEUE, Pid.of("a"), 1, 1, false), false);
        loop.turn();
        commitsLand();

        assertThat(told).containsExactly("busy", "looks");
    }

    @Test
    void aBurstWaitsUntilItIsOver() {
        enqueue("busy", false);
        enqueue("interactive", false);
        enqueue("bulk", true);
        loop.pass(Entrance.STANDING_MILLIS);
        assertThat(told).isEmpty();

        everythingLands();
        assertThat(told).containsExactly("busy", "interactive", "bulk");
    }

    @Test
    void whereSomebodyWaitsAllTheTimeNobodyWaitsLong() {
        long patienceMillis = Entrance.STANDING_WAITS * SETTINGS.logWaitMillis();
        enqueue("busy", false);
        enqueue("bulk 1", true);
        loop.pass(Entrance.STANDING_MILLIS);
        enqueue("bulk 2", true);
        loop.pass(patienceMillis / 2);
        assertThat(told).containsExactly("bulk 1: OVERLOADED, again after PT0.1S");

        enqueue("bulk 3", true);
        loop.pass(patienceMillis / 2 + 1);
        assertThat(told).hasSize(2).last().isEqualTo("bulk 2: OVERLOADED, again after PT0.1S");

        everythingLands();
        assertThat(told).last().isEqualTo("bulk 3");
    }

    @Test
    void whoWaitsWhenTheEpochEndsIsTold() {
        enqueue("busy", false);
        enqueue("bulk", true);
        enqueue("interactive", false);
        partition.stop("crash");

        assertThat(told).hasSize(3);
        assertThat(told).anySatisfy(line -> assertThat(line).startsWith("bulk: PARTITION_OPENING"));
        assertThat(told).anySatisfy(line -> assertThat(line).startsWith("interactive: PARTITION_OPENING"));
    }

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

    /** One more task, as large as what may always wait for the log. */
    private void enqueue(String pid, boolean bulk) {
        submit(pid, update(pid), bulk);
        loop.turn();
    }

    private static Update update(String pid) {
        Payload payload = new Payload(Bytes.wrap(new byte[TASK_BYTES]), Map.of());
        Enqueue enqueue = new Enqueue(QUEUE.name(), Optional.of(Pid.of(pid)), payload, IfExists.COLLAPSE, 0);
        return new Update(GroupName.EMPTY, List.of(enqueue), List.of(), List.of(), List.of());
    }

    private void submit(String name, Command command, boolean bulk) {
        partition.submit(command, new Node.ReplySink() {
            @Override
            public void reply(Reply reply) {
                told.add(name);
            }

            @Override
            public void fail(TaskMasterException error) {
                String again = error.retryAfter()
                        .map(delay -> ", again after " + delay)
                        .orElse("");
                told.add(name + ": " + error.code() + again);
            }

            @Override
            public boolean isBulk() {
                return bulk;
            }
        });
    }
}
