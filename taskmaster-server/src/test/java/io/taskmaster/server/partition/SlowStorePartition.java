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
    private final MemoryStore store = new MemoryStore(inStore::add);
    private final int taskBytes;
    private final Commons commons;
    private Partition partition;

    /**
     * @param dirtyBytes how much may be unflushed
     * @param taskBytes how much data a task has
     */
    SlowStorePartition(long dirtyBytes, int taskBytes) {
        this.taskBytes = taskBytes;
        this.commons = Commons.of(new MemoryBudget(1 << 20, dirtyBytes, 1 << 20, Long.MAX_VALUE), SETTINGS);
        this.partition = open();
    }

    private Partition open() {
        var opened = new Partition(0, Contender.alone("test"), store, loop, SETTINGS, commons, new Random(1));
        var opening = opened.open();
        everythingLands();
        opening.join();
        return opened;
    }

    /** Writes everything and opens the partition again, which knows nothing of its queues' heads then. */
    void reopen() {
        var drained = partition.drain();
        for (int i = 0; i < 100 && !drained.isDone(); i++) {
            everythingLands();
            loop.pass(10);
        }
        drained.join();
        partition = open();
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
        enqueue("", "", pid, bulk);
    }

    /** One more task of a caller, in a group. */
    void enqueue(String group, String caller, String pid, boolean bulk) {
        Payload payload = new Payload(Bytes.wrap(new byte[taskBytes]), Map.of());
        Enqueue enqueue = new Enqueue(QUEUE.name(), Optional.of(Pid.of(pid)), payload, IfExists.COLLAPSE, 0);
        Update update = new Update(GroupName.of(group), List.of(enqueue), List.of(), List.of(), List.of());
        submit(pid, update, caller, bulk);
    }

    void submit(String name, Command command, boolean bulk) {
        submit(name, command, "", bulk);
    }

    void submit(String name, Command command, String caller, boolean bulk) {
        submitUnturned(name, command, caller, bulk);
        loop.turn();
    }

    /** It is in the loop's hands, and more may come before its turn ends. */
    void submitUnturned(String name, Command command, String caller, boolean bulk) {
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

            @Override
            public String caller() {
                return caller;
            }
        });
    }

    void crash() {
        partition.stop("crash");
    }
}
