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
import io.taskmaster.server.engine.Command.Selector;
import io.taskmaster.server.engine.Command.Update;
import io.taskmaster.server.engine.Reply;
import io.taskmaster.server.store.Store;
import io.taskmaster.server.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Time that cannot pass, since memory is full. */
final class TimeKeeperTest {

    private static final QueueKey QUEUE = QueueKey.of("", "q");
    private static final long PATIENCE_MILLIS = 1 << 30;

    private final TurnedLoop loop = new TurnedLoop();
    private final Store store = new MemoryStore(Runnable::run);

    /** So little dirty memory that one task fills it. */
    private final MemoryBudget budget = new MemoryBudget(1 << 20, 1, 1 << 20, Long.MAX_VALUE);

    private final List<Reply> told = new ArrayList<>();

    @Test
    void timePassesOnceAnotherPartitionGivesMemoryBackThoughNobodyAsks() {
        Partition full = open(0);
        submit(
                full,
                new Update(
                        GroupName.EMPTY,
                        List.of(new Enqueue(
                                QUEUE.name(),
                                Optional.of(Pid.of("a")),
                                new Payload(Bytes.of("data"), Map.of()),
                                IfExists.COLLAPSE,
                                0)),
                        List.of(),
                        List.of(),
                        List.of()));
        told.clear();

        Partition waiting = open(1);
        submit(waiting, new Command.ListQueues(Selector.of(QUEUE), 0, 0, 1, Optional.empty()));
        assertThat(told).isEmpty();
        loop.pass(2 * PartitionSettings.DEFAULTS.flush().intervalMillis());

        assertThat(told).containsExactly(new Reply.Listed(List.of(), false));
    }

    private Partition open(int id) {
        PartitionSettings defaults = PartitionSettings.DEFAULTS;
        PartitionSettings settings = new PartitionSettings(
                defaults.engine(),
                defaults.log(),
                defaults.flush(),
                defaults.refillMaxTasks(),
                defaults.refillMaxBytes(),
                defaults.indexRows(),
                defaults.activationBytes(),
                PATIENCE_MILLIS,
                defaults.admissionMillis(),
                defaults.logWaitMillis(),
                defaults.largeElements(),
                defaults.retryDelayMillis());
        Partition partition = new Partition(
                id, "test", store, loop, settings, budget, new Backlog(settings.logWaitMillis()), new Random(id));
        var opening = partition.open();
        loop.turn();
        opening.join();
        return partition;
    }

    private void submit(Partition partition, Command command) {
        partition.submit(command, new Node.ReplySink() {
            @Override
            public void reply(Reply reply) {
                told.add(reply);
            }

            @Override
            public void fail(TaskMasterException error) {
                throw new AssertionError(error);
            }
        });
        loop.turn();
    }
}
