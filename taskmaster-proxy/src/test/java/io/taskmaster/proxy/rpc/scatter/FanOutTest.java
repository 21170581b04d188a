package io.taskmaster.proxy.rpc.scatter;

import static org.assertj.core.api.Assertions.assertThat;

import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Lease;
import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.Ranking;
import io.taskmaster.command.Reply;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.proxy.route.ReplySink;
import io.taskmaster.proxy.route.Router;
import io.taskmaster.proxy.rpc.call.OffloadExecutor;
import io.taskmaster.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests of the error of a command for all partitions when they fail in different ways. */
final class FanOutTest {

    private static final Selector ALL = new Selector(Optional.empty(), List.of(QueueName.of("q")), Optional.empty());

    private final List<ErrorCode> errors = new ArrayList<>();

    @Test
    void aDeletionThatMayHaveBeenDoneInOnePartitionIsNotCalledUndone() {
        FanOut.submit(
                new FailingRouter(ErrorCode.PARTITION_OPENING, ErrorCode.OUTCOME_UNKNOWN),
                new Command.Delete(ALL),
                Reply.Deleted.class,
                ReplyMerger::deleted,
                OffloadExecutor.on(Runnable::run),
                new Listener());
        assertThat(errors).containsExactly(ErrorCode.OUTCOME_UNKNOWN);
    }

    @Test
    void aLeaseThatOnePartitionMayHaveGivenIsNotCalledUndone() {
        AllGroupsLease.submit(
                new FailingRouter(ErrorCode.PARTITION_OPENING, ErrorCode.OUTCOME_UNKNOWN, ErrorCode.OVERLOADED),
                Clock.system(),
                new Lease(ALL, 1, 1, 1, Optional.empty(), 0, 0, "w", "here"),
                new Listener(),
                new AtomicInteger());
        assertThat(errors).containsExactly(ErrorCode.OUTCOME_UNKNOWN);
    }

    private final class Listener implements ReplySink {

        @Override
        public void reply(Reply reply) {
            throw new AssertionError(reply);
        }

        @Override
        public void fail(TaskMasterException error) {
            errors.add(error.code());
        }
    }

    /** A node whose partitions fail, each with its own error. */
    private static final class FailingRouter implements Router {

        private final List<ErrorCode> errors;

        FailingRouter(ErrorCode... errors) {
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
        public CompletableFuture<Optional<Ranking.Page>> rank(int partition, Ranking.Question question) {
            return CompletableFuture.completedFuture(Optional.empty());
        }

        @Override
        public CompletableFuture<Integer> uncleared(GroupName group, Collection<QueueKey> queues) {
            return CompletableFuture.completedFuture(0);
        }
    }
}
