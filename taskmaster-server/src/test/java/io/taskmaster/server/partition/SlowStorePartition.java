package io.taskmaster.server.partition;

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
import io.taskmaster.server.partition.log.Contender;
import io.taskmaster.server.store.memory.MemoryStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;

/** An open partition on a store that does nothing until it is told to, with what callers were told. */
final class SlowStorePartition {

    static final PartitionSettings SETTINGS = PartitionSettings.DEFAULTS;
    static final QueueKey QUEUE = QueueKey.of("", "q");

    final TurnedLoop loop = new TurnedLoop();

    /** A line for each answer: the name of the request, and what went wrong with it. */
    final List<String> told = new ArrayList<>();

    private final Queue<Runnable> inStore = new ArrayDeque<>();
    private final int taskBytes;
    private final Partition partition;

    /**
     * @param dirtyBytes how much may be unflushed
     * @param taskBytes how much data a task has
     */
    SlowStorePartition(long dirtyBytes, int taskBytes) {
        this.taskBytes = taskBytes;
        this.partition = new Partition(
                0,
                Contender.alone("test"),
                new MemoryStore(inStore::add),
                loop,
                SETTINGS,
                Commons.of(new MemoryBudget(1 << 20, dirtyBytes, 1 << 20, Long.MAX_VALUE), SETTINGS),
                new Random(1));
        var opening = partition.open();
        everythingLands();
        opening.join();
    }

    /** How many operations are in the store's hands. */
    int inStore() {
        return inStore.size();
    }

    /** What is in the store's hands now, and nothing that comes of it. */
    void commitsLand() {
        List<Runnable> landing = List.copyOf(inStore);
        inStore.clear();
        landing.forEach(Runnable::run);
        loop.turn();
    }

    void everythingLands() {
        loop.turn();
        while (!inStore.isEmpty()) {
            commitsLand();
        }
    }

    /** One more task, whose PID is the request's name. */
    void enqueue(String pid, boolean bulk) {
        Payload payload = new Payload(Bytes.wrap(new byte[taskBytes]), Map.of());
        Enqueue enqueue = new Enqueue(QUEUE.name(), Optional.of(Pid.of(pid)), payload, IfExists.COLLAPSE, 0);
        submit(pid, new Update(GroupName.EMPTY, List.of(enqueue), List.of(), List.of(), List.of()), bulk);
    }

    void submit(String name, Command command, boolean bulk) {
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
        loop.turn();
    }

    void crash() {
        partition.stop("crash");
    }
}
