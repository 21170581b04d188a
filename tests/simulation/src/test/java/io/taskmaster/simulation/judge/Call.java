package io.taskmaster.simulation.judge;

import io.taskmaster.command.Command;
import io.taskmaster.command.Reply;
import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.proxy.route.ReplySink;
import io.taskmaster.simulation.world.Holder;
import io.taskmaster.simulation.world.Violation;
import io.taskmaster.simulation.world.World;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A command on its way to an owner and back, as the {@link Judge} examines it. In runs of whole nodes it wraps the sink
 * of a caller. Single-threaded: owned by the simulation.
 */
public final class Call implements ReplySink {

    private static final int CALLERS = 5;

    private final World world;
    private final int number;

    /** The owner of the partition: until the answer the present one, from then on the one at the time of the answer. */
    private Supplier<? extends Holder> owner;

    private final Command command;
    private final long invokedMicros;
    private final Consumer<Call> whenAnswered;
    private final Optional<ReplySink> asker;
    private long answeredMicros = -1;
    private Optional<Reply> reply = Optional.empty();
    private Optional<ErrorCode> error = Optional.empty();
    private boolean cancelled;

    public Call(World world, int number, Holder owner, Command command, Consumer<Call> whenAnswered) {
        this(world, number, () -> owner, command, whenAnswered, Optional.empty());
    }

    /**
     * Creates a call that is invoked now.
     *
     * @param asker the sink of the caller, which receives everything after it was recorded; empty if this is the caller
     */
    public Call(
            World world,
            int number,
            Supplier<? extends Holder> owner,
            Command command,
            Consumer<Call> whenAnswered,
            Optional<ReplySink> asker) {
        this.world = world;
        this.number = number;
        this.owner = owner;
        this.command = command;
        this.invokedMicros = world.micros();
        this.whenAnswered = whenAnswered;
        this.asker = asker;
    }

    @Override
    public void reply(Reply answer) {
        cancelled = isCancelled();
        reply = Optional.of(answer);
        answered();
        asker.ifPresent(sink -> sink.reply(answer));
    }

    @Override
    public void fail(TaskMasterException exception) {
        error = Optional.of(exception.code());
        answered();
        asker.ifPresent(sink -> sink.fail(exception));
    }

    @Override
    public void decided(Reply answer) {
        asker.ifPresent(sink -> sink.decided(answer));
    }

    @Override
    public void waits(Runnable cancel) {
        asker.ifPresent(sink -> sink.waits(cancel));
    }

    @Override
    public boolean isBulk() {
        return asker.filter(ReplySink::isBulk).isPresent();
    }

    /** Returns one of five names, so that admission serves callers round-robin. */
    @Override
    public String caller() {
        return asker.map(ReplySink::caller).orElseGet(() -> "caller " + number % CALLERS);
    }

    @Override
    public boolean isCancelled() {
        cancelled |= asker.filter(ReplySink::isCancelled).isPresent();
        return cancelled;
    }

    private void answered() {
        if (isAnswered()) {
            throw new Violation("answered twice: " + this);
        }
        answeredMicros = world.micros();
        Holder answering = owner.get();
        owner = () -> answering;
        world.log(() -> answering.name() + " answers " + number + ": "
                + reply.map(Reply::toString).orElseGet(() -> error.orElseThrow().toString()));
        whenAnswered.accept(this);
    }

    /** Cancels the call on behalf of the client. */
    public void cancel() {
        cancelled = true;
    }

    public boolean isAnswered() {
        return answeredMicros >= 0;
    }

    /** Returns whether it was answered with an empty lease because its caller had cancelled it. */
    boolean isLeftToItself() {
        return cancelled
                && reply.filter(answer -> answer instanceof Reply.Leased leased
                                && leased.tasks().isEmpty())
                        .isPresent();
    }

    Holder owner() {
        return owner.get();
    }

    Command command() {
        return command;
    }

    public Optional<Reply> reply() {
        return reply;
    }

    public Optional<ErrorCode> error() {
        return error;
    }

    /** Returns whether the command may have taken effect without a reply that says so. */
    boolean mayHaveHappened() {
        return !isAnswered()
                || error.filter(code -> code.advice() == ErrorCode.Advice.OUTCOME_UNKNOWN)
                        .isPresent();
    }

    /**
     * Returns whether the reply waits for the log. An owner that was deposed before the call was invoked cannot give
     * such a reply.
     */
    public boolean needsTheLog() {
        return switch (reply.orElseThrow()) {
            case Reply.Updated updated -> true;
            case Reply.Deleted deleted -> true;
            case Reply.Configured configured -> true;
            case Reply.Leased leased -> !leased.tasks().isEmpty();
            case Reply.Watched watched -> false;
            case Reply.Listed listed -> false;
            case Reply.Described described -> false;
            case Reply.Peeked peeked -> false;
        };
    }

    long invokedMicros() {
        return invokedMicros;
    }

    long answeredMicros() {
        return answeredMicros;
    }

    @Override
    public String toString() {
        return "call " + number + " to " + owner.get().name() + ": " + command;
    }
}
