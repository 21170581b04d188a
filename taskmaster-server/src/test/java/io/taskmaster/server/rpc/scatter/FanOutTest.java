package io.taskmaster.server.rpc.scatter;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueName;
import io.taskmaster.server.engine.command.Command;
import io.taskmaster.server.engine.command.Command.Lease;
import io.taskmaster.server.engine.command.Command.Selector;
import io.taskmaster.server.engine.command.Reply;
import io.taskmaster.server.partition.Node;
import io.taskmaster.server.partition.commit.ReplySink;
import io.taskmaster.server.partition.loop.Clock;
import io.taskmaster.server.rpc.call.OffloadExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests of the error of a command for all partitions when they fail in different ways. */
final class FanOutTest {

    private static final Selector ALL = new Selector(Optional.empty(), List.of(QueueName.of("q")), Optional.empty());

    private final List<ErrorCode> told = new ArrayList<>();

    @Test
    void aDeletionThatMayHaveBeenDoneInOnePartitionIsNotCalledUndone() {
        FanOut.submit(
                new FailingNode(ErrorCode.PARTITION_OPENING, ErrorCode.OUTCOME_UNKNOWN),
                new Command.Delete(ALL),
                Reply.Deleted.class,
                ReplyMerger::deleted,
                OffloadExecutor.on(Runnable::run),
                new Listener());
        assertThat(told).containsExactly(ErrorCode.OUTCOME_UNKNOWN);
    }

    @Test
    void aLeaseThatOnePartitionMayHaveGivenIsNotCalledUndone() {
        AllGroupsLease.submit(
                new FailingNode(ErrorCode.PARTITION_OPENING, ErrorCode.OUTCOME_UNKNOWN, ErrorCode.OVERLOADED),
                Clock.system(),
                new Lease(ALL, 1, 1, 1, Optional.empty(), 0, 0, "w", "here"),
                new Listener(),
                new AtomicInteger());
        assertThat(told).containsExactly(ErrorCode.OUTCOME_UNKNOWN);
    }

    private final class Listener implements ReplySink {

        @Override
        public void reply(Reply reply) {
            throw new AssertionError(reply);
        }

        @Override
        public void fail(TaskMasterException error) {
            told.add(error.code());
        }
    }

    /** A node whose partitions fail, each with its own error. */
    private static final class FailingNode implements Node {

        private final List<ErrorCode> errors;

        FailingNode(ErrorCode... errors) {
            this.errors = List.of(errors);
        }

        @Override
        public int partitions() {
            return errors.size();
        }

        @Override
        public void submit(GroupName group, Command command, ReplySink sink) {
            submit(0, command, sink);
        }

        @Override
        public void submit(int partition, Command command, ReplySink sink) {
            sink.fail(new TaskMasterException(errors.get(partition), "partition " + partition));
        }

        @Override
        public void close() {}

        @Override
        public void abandon() {}
    }
}
