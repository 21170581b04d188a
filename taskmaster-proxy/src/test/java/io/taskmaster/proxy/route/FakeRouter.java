package io.taskmaster.proxy.route;

import io.taskmaster.command.Command;
import io.taskmaster.command.Counts;
import io.taskmaster.command.QueueOptions;
import io.taskmaster.command.Ranking;
import io.taskmaster.command.Reply;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Partitions;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** A router without partitions behind it. It records the commands, and answers as the test says. Thread-safe. */
public class FakeRouter implements Router {

    /** A submission that is held back. */
    public record Held(Command command, ReplySink sink) {}

    private final int partitions;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile BiFunction<Integer, Command, Reply> responder = (partition, command) -> emptyReply(command);
    private volatile boolean holding;
    private volatile @Nullable Error countFailure;

    public final ConcurrentLinkedQueue<Command> commands = new ConcurrentLinkedQueue<>();
    public final ConcurrentLinkedQueue<Held> held = new ConcurrentLinkedQueue<>();

    public FakeRouter(int partitions) {
        this.partitions = partitions;
    }

    /** Answers like this from now on. A {@link TaskMasterException} that is thrown is an answer, too. */
    public final FakeRouter answering(BiFunction<Integer, Command, Reply> partitionAndCommand) {
        responder = partitionAndCommand;
        return this;
    }

    /** Fails from now on when it is asked for its number of partitions. */
    public final FakeRouter failingToCount(Error failure) {
        countFailure = failure;
        return this;
    }

    /** Holds back all answers from now on: submissions gather in {@link #held}. */
    public final FakeRouter holding() {
        holding = true;
        return this;
    }

    /** Answers again as it did before {@link #holding()}. */
    public final FakeRouter answeringAtOnce() {
        holding = false;
        return this;
    }

    @Override
    public int partitions() {
        Error failure = countFailure;
        if (failure != null) {
            throw failure;
        }
        return partitions;
    }

    @Override
    public void submit(GroupName group, Command command, ReplySink sink) {
        submit(Partitions.partitionOf(group, partitions), command, sink);
    }

    @Override
    public void submit(int partition, Command command, ReplySink sink) {
        commands.add(command);
        if (closed.getCount() == 0) {
            sink.fail(new TaskMasterException(ErrorCode.SHUTTING_DOWN, "closed"));
            return;
        }
        if (holding) {
            held.add(new Held(command, sink));
            return;
        }
        Reply reply;
        try {
            reply = responder.apply(partition, command);
        } catch (TaskMasterException e) {
            sink.fail(e);
            return;
        }
        sink.reply(reply);
    }

    @Override
    public CompletableFuture<Optional<Ranking.Page>> rank(int partition, Ranking.Question question) {
        return CompletableFuture.completedFuture(Optional.empty());
    }

    @Override
    public CompletableFuture<Integer> uncleared(GroupName group, Collection<QueueKey> queues) {
        return CompletableFuture.completedFuture(0);
    }

    /** Refuses all commands from now on. */
    public final void shutDown() {
        closed.countDown();
    }

    public final boolean isClosed() {
        return closed.getCount() == 0;
    }

    /** Returns the answer of a node without tasks. An update succeeds in all its elements. */
    public static Reply emptyReply(Command command) {
        return switch (command) {
            case Command.Update update ->
                new Reply.Updated(
                        true,
                        update.enqueues().stream().map(e -> Reply.Status.OK).toList(),
                        update.dequeues().stream().map(e -> Reply.Status.OK).toList(),
                        update.renewals().stream().map(e -> Reply.Status.OK).toList(),
                        update.releases().stream().map(e -> Reply.Status.OK).toList(),
                        update.enqueues().stream()
                                .map(e -> e.pid().orElse(Pid.of("assigned")))
                                .toList());
            case Command.Lease lease -> new Reply.Leased(List.of());
            case Command.Watch watch -> new Reply.Watched(false);
            case Command.ListQueues list -> new Reply.Listed(List.of(), false);
            case Command.Describe describe -> new Reply.Described(List.of(), noQueue(), 0);
            case Command.Peek peek -> new Reply.Peeked(List.of(), Optional.empty());
            case Command.Delete delete -> new Reply.Deleted(List.of());
            case Command.Configure configure -> new Reply.Configured();
        };
    }

    /** Returns the description of no queue. */
    public static Reply.Description noQueue() {
        return new Reply.Description(
                new Reply.Summary(new QueueKey(GroupName.EMPTY, QueueName.EMPTY), 0, 0, 0),
                0,
                0,
                0,
                Optional.empty(),
                Optional.empty(),
                Counts.NONE,
                0,
                QueueOptions.NONE,
                List.of());
    }
}
