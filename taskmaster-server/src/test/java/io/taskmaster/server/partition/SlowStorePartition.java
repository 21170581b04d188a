package io.taskmaster.server.partition;

import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Enqueue;
import io.taskmaster.command.Command.IfExists;
import io.taskmaster.command.Command.Payload;
import io.taskmaster.command.Command.Update;
import io.taskmaster.command.Reply;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.proxy.route.ReplySink;
import io.taskmaster.server.partition.budget.MemoryBudget;
import io.taskmaster.server.partition.context.NodeResources;
import io.taskmaster.server.partition.context.PartitionSettings;
import io.taskmaster.server.partition.log.ownership.OwnerCandidate;
import io.taskmaster.server.partition.loop.TurnedLoop;
import io.taskmaster.server.store.memory.MemoryStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;

/** An open partition on a store that performs operations when the test says so, with a record of the answers. */
public final class SlowStorePartition {

    static final PartitionSettings SETTINGS = PartitionSettings.DEFAULTS;
    static final QueueKey QUEUE = QueueKey.of("", "q");

    final TurnedLoop loop = new TurnedLoop();

    /** One line for each answer: the name of the request, and its error if there was one. */
    public final List<String> replies = new ArrayList<>();

    private final Queue<Runnable> inStore = new ArrayDeque<>();
    private final MemoryStore store = new MemoryStore(inStore::add);
    private final int taskBytes;
    private final NodeResources nodeResources;
    private Partition partition;

    /**
     * Opens a partition.
     *
     * @param dirtyBytes the limit of dirty memory
     * @param taskBytes the size of a task's data
     */
    public SlowStorePartition(long dirtyBytes, int taskBytes) {
        this.taskBytes = taskBytes;
        this.nodeResources = NodeResources.of(new MemoryBudget(1 << 20, dirtyBytes, 1 << 20, Long.MAX_VALUE), SETTINGS);
        this.partition = open();
    }

    private Partition open() {
        var opened =
                new Partition(0, OwnerCandidate.alone("test"), store, loop, SETTINGS, nodeResources, new Random(1));
        var opening = opened.open();
        everythingLands();
        opening.join();
        return opened;
    }

    /** Writes everything and opens the partition again, without the heads of its queues in memory. */
    public void reopen() {
        var drained = partition.drain();
        for (int i = 0; i < 100 && !drained.isDone(); i++) {
            everythingLands();
            loop.pass(10);
        }
        drained.join();
        partition = open();
    }

    /** The number of store operations in flight. */
    public int inStore() {
        return inStore.size();
    }

    /** Performs the store operations in flight, without those that follow from them. */
    void completeCommits() {
        List<Runnable> landing = List.copyOf(inStore);
        inStore.clear();
        landing.forEach(Runnable::run);
        loop.tick();
    }

    public void everythingLands() {
        loop.tick();
        while (!inStore.isEmpty()) {
            completeCommits();
        }
    }

    /** Enqueues one more task, whose PID is the request's name. */
    void enqueue(String pid, boolean bulk) {
        enqueue("", "", pid, bulk);
    }

    /** Enqueues one more task of a caller, in a group. */
    void enqueue(String group, String caller, String pid, boolean bulk) {
        Payload payload = new Payload(Bytes.wrap(new byte[taskBytes]), Map.of());
        Enqueue enqueue = new Enqueue(QUEUE.name(), Optional.of(Pid.of(pid)), payload, IfExists.COLLAPSE, 0);
        Update update = new Update(GroupName.of(group), List.of(enqueue), List.of(), List.of(), List.of());
        submit(pid, update, caller, bulk);
    }

    public void submit(String name, Command command, boolean bulk) {
        submit(name, command, "", bulk);
    }

    void submit(String name, Command command, String caller, boolean bulk) {
        submitUnturned(name, command, caller, bulk);
        loop.tick();
    }

    /** Submits a command without running the loop, so that more can be submitted in the same loop tick. */
    void submitUnturned(String name, Command command, String caller, boolean bulk) {
        partition.submit(command, new ReplySink() {
            @Override
            public void reply(Reply reply) {
                replies.add(name);
            }

            @Override
            public void fail(TaskMasterException error) {
                String again = error.retryAfter()
                        .map(delay -> ", again after " + delay)
                        .orElse("");
                replies.add(name + ": " + error.code() + again);
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
