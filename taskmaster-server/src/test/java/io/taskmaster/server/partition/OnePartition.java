package io.taskmaster.server.partition;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.Iterables;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Dequeue;
import io.taskmaster.command.Command.Enqueue;
import io.taskmaster.command.Command.IfExists;
import io.taskmaster.command.Command.Lease;
import io.taskmaster.command.Command.Payload;
import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.Command.Update;
import io.taskmaster.command.Reply;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.proxy.route.ReplySink;
import io.taskmaster.server.engine.state.EngineSettings;
import io.taskmaster.server.partition.budget.MemoryBudget;
import io.taskmaster.server.partition.context.FlushSettings;
import io.taskmaster.server.partition.context.NodeResources;
import io.taskmaster.server.partition.context.PartitionSettings;
import io.taskmaster.server.partition.log.ownership.OwnerCandidate;
import io.taskmaster.server.partition.log.row.LogSettings;
import io.taskmaster.server.partition.loop.TurnedLoop;
import io.taskmaster.server.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** The fixture of tests of requests through a whole partition, on the reference store. */
abstract class OnePartition {

    static final QueueKey QUEUE = new QueueKey(GroupName.EMPTY, QueueName.of("q"));
    static final int ACTIVATION_BYTES = 10_000;
    final MemoryStore store = new MemoryStore();
    final TurnedLoop loop = new TurnedLoop();

    /** The budget of the open partition. */
    MemoryBudget budget = new MemoryBudget(0, 0, 0, 0);

    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    Partition partition = open(1 << 20);

    Partition open(long windowBytes) {
        PartitionSettings settings = new PartitionSettings(
                new EngineSettings(8, 2, 120_000),
                LogSettings.DEFAULT,
                new FlushSettings(1_000, 1 << 20, 1 << 20, 4_096, 4),
                64,
                100_000,
                16,
                ACTIVATION_BYTES,
                100,
                1_000,
                20,
                2_000,
                100);
        budget = new MemoryBudget(windowBytes, 1 << 24, 1 << 20, Long.MAX_VALUE);
        meters = new SimpleMeterRegistry();
        NodeResources nodeResources = NodeResources.of(budget, settings, meters);
        Partition opened =
                new Partition(0, OwnerCandidate.alone("test"), store, loop, settings, nodeResources, new Random(1));
        var opening = opened.open();
        loop.tick();
        opening.join();
        return opened;
    }

    double metered(String meter, String... tags) {
        return Iterables.getLast(meters.get(meter).tags(tags).meter().measure()).getValue();
    }

    void restart(long windowBytes) {
        partition.stop("crash");
        partition = open(windowBytes);
    }

    static Enqueue enqueue(String pid) {
        return enqueue(QUEUE.name().toString(), pid);
    }

    static Enqueue enqueue(String queue, String pid) {
        return new Enqueue(
                QueueName.of(queue),
                Optional.of(Pid.of(pid)),
                new Payload(Bytes.of("data of " + pid), Map.of()),
                IfExists.COLLAPSE,
                0);
    }

    Reply.Updated update(Enqueue... enqueues) {
        return this.<Reply.Updated>submit(
                        new Update(GroupName.EMPTY, List.of(enqueues), List.of(), List.of(), List.of()))
                .get();
    }

    Reply.Updated dequeue(Reply.LeasedTask task) {
        return this.<Reply.Updated>submit(new Update(
                        GroupName.EMPTY,
                        List.of(),
                        List.of(new Dequeue(QUEUE.name(), task.pid(), task.leaseId())),
                        List.of(),
                        List.of()))
                .get();
    }

    static Lease leaseCommand(int max, long waitMillis) {
        return new Lease(Selector.of(QUEUE), max, 1 << 20, 30_000, Optional.empty(), waitMillis, 0, "worker", "here");
    }

    List<Reply.LeasedTask> lease(int max) {
        return this.<Reply.Leased>submit(leaseCommand(max, 0)).get().tasks();
    }

    Reply.Summary summary() {
        Reply.Listed listed = this.<Reply.Listed>submit(
                        new Command.ListQueues(Selector.of(QUEUE), 0, 0, 10, Optional.empty()))
                .get();
        return listed.queues().getFirst();
    }

    Reply.Peeked peek(String from, int max) {
        return this.<Reply.Peeked>submit(new Command.Peek(QUEUE, Pid.of(from), max, 1 << 20, true))
                .get();
    }

    <R extends Reply> Answer<R> submit(Command command) {
        Answer<R> answer = new Answer<>();
        partition.submit(command, answer);
        loop.tick();
        return answer;
    }

    static final class Answer<R extends Reply> implements ReplySink {

        final List<R> replies = new ArrayList<>();

        @Override
        @SuppressWarnings("unchecked") // each command has its kind of reply
        public void reply(Reply reply) {
            replies.add((R) reply);
        }

        @Override
        public void fail(TaskMasterException error) {
            throw error;
        }

        R get() {
            assertThat(replies).hasSize(1);
            return replies.getFirst();
        }
    }
}
