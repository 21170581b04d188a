package io.taskmaster.server.engine.state;

import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Enqueue;
import io.taskmaster.command.Command.IfExists;
import io.taskmaster.command.Command.Payload;
import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.Reply;
import io.taskmaster.command.Reply.LeasedTask;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.command.Decision;
import io.taskmaster.server.engine.decide.Engine;
import io.taskmaster.server.engine.index.EngineState;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A partition whose commands take effect as they are decided, over a store that was empty and from which nothing is
 * read. Single-threaded.
 */
public final class SmallPartition {

    public static final Payload DATA = new Payload(Bytes.of("data"), Map.of());

    public static final long LEASE_MILLIS = 30_000;

    public final PartitionState state;
    public final EngineState engine;
    public long nowMillis = 1_000;

    /** Makes a partition that evicts whatever it is asked to. */
    public SmallPartition() {
        this(new EngineSettings(1, 0, 120_000));
    }

    public SmallPartition(EngineSettings settings) {
        state = new PartitionState(settings);
        engine = EngineState.of(state);
        state.recovered();
        state.hints().loaded(TimeHint.FIRST, List.of(), null);
    }

    public Decision decide(Command command) {
        if (Engine.dependsOnTime(command)) {
            state.advance(nowMillis);
        }
        return Engine.decide(engine, command, nowMillis);
    }

    public <T extends Reply> T answer(Class<T> kind, Command command) {
        return answer(kind, command, (Decision.Done) decide(command));
    }

    /** Puts a decision, or a part of one, into effect. */
    public <T extends Reply> T answer(Class<T> kind, Command command, Decision.Done done) {
        if (done.atom() != null) {
            state.apply(done.atom(), nowMillis);
        }
        if (command instanceof Command.Lease lease) {
            engine.selectors().leased(lease, (Reply.Leased) done.reply());
        }
        return kind.cast(done.reply());
    }

    public void enqueue(QueueKey queue, String... pids) {
        enqueue(queue, DATA, 0, pids);
    }

    public void enqueue(QueueKey queue, Payload payload, long notBeforeMillis, String... pids) {
        List<Enqueue> enqueues = Stream.of(pids)
                .map(pid ->
                        new Enqueue(queue.name(), Optional.of(Pid.of(pid)), payload, IfExists.REPLACE, notBeforeMillis))
                .toList();
        answer(Reply.Updated.class, new Command.Update(queue.group(), enqueues, List.of(), List.of(), List.of()));
    }

    /** Enqueues a task behind all others, without a read. */
    public Pid enqueueNext(QueueKey queue) {
        Enqueue next = new Enqueue(queue.name(), Optional.empty(), DATA, IfExists.FAIL, 0);
        return answer(
                        Reply.Updated.class,
                        new Command.Update(queue.group(), List.of(next), List.of(), List.of(), List.of()))
                .assignedPids()
                .getFirst();
    }

    public List<LeasedTask> lease(QueueKey queue, int tasks) {
        return answer(Reply.Leased.class, leaseOf(Selector.of(queue), tasks, 1 << 20))
                .tasks();
    }

    public static Command.Lease leaseOf(Selector selector, int tasks, int maxBytes) {
        return new Command.Lease(selector, tasks, maxBytes, LEASE_MILLIS, Optional.empty(), 0, 0, "w", "here");
    }

    public void dequeue(QueueKey queue, String pid) {
        answer(
                Reply.Updated.class,
                new Command.Update(
                        queue.group(),
                        List.of(),
                        List.of(new Command.Dequeue(queue.name(), Pid.of(pid), 0)),
                        List.of(),
                        List.of()));
    }

    /** Runs a round from its beginning to its end. */
    public FlushRound flush() {
        FlushRound round = state.takeRound();
        state.tasksFlushed(round.tasks(), 0);
        state.recordsFlushed(round.records());
        state.roundCompleted();
        return round;
    }

    public QueueState queue(QueueKey key) {
        return Objects.requireNonNull(state.queue(key));
    }
}
