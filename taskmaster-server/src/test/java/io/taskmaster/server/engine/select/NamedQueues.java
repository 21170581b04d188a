package io.taskmaster.server.engine.select;

import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Lease;
import io.taskmaster.command.Command.Payload;
import io.taskmaster.command.Command.Selector;
import io.taskmaster.command.FifoPid;
import io.taskmaster.command.QueueOptions;
import io.taskmaster.command.Reply;
import io.taskmaster.command.Reply.LeasedTask;
import io.taskmaster.command.pattern.NamePattern;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.command.ApplyAtom;
import io.taskmaster.server.engine.command.ApplyAtom.QueueChange;
import io.taskmaster.server.engine.command.Decision;
import io.taskmaster.server.engine.command.Enqueued;
import io.taskmaster.server.engine.command.Sizes;
import io.taskmaster.server.engine.decide.Engine;
import io.taskmaster.server.engine.index.EngineState;
import io.taskmaster.server.engine.state.EngineSettings;
import io.taskmaster.server.engine.state.FlushRound;
import io.taskmaster.server.engine.state.PartitionState;
import io.taskmaster.server.engine.state.QueueState;
import io.taskmaster.server.engine.state.TimeHint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The fixture of tests of selectors over many queues, which are named by number. What is done to them takes effect at
 * once, and nothing is stored.
 */
abstract class NamedQueues {

    static final int MANY = 5_000;

    /** The number of random runs, as elsewhere: {@code -Dengine.seeds=N}. */
    static final int EFFORT = Integer.getInteger("engine.seeds", 150);

    private static final Payload DATA = new Payload(Bytes.EMPTY, Map.of());
    final PartitionState state = new PartitionState(new EngineSettings(1, 0, 120_000));
    final EngineState engine = EngineState.of(state);
    long nowMillis = 1_000;

    NamedQueues() {
        state.recovered();
        state.hints().loaded(TimeHint.FIRST, List.of(), null);
    }

    Decision decide(Command command, boolean onTime) {
        state.advance(nowMillis);
        return Engine.decide(engine, command, nowMillis, onTime);
    }

    /**
     * Matches a slice of what is left.
     *
     * @return false if there is none
     */
    static boolean continueMatching(PatternMatchJob patternMatchJob) {
        PatternMatchSlice slice = patternMatchJob.next();
        if (slice != null) {
            slice.run();
            patternMatchJob.apply(slice);
        }
        return slice != null;
    }

    void matchAll(Selector selector) {
        SelectorCache selectorCache = engine.selectors();
        selectorCache.beginTick();
        PatternMatchJob patternMatchJob = selectorCache.beginMatching(selector);
        boolean more = true;
        while (more) {
            more = continueMatching(patternMatchJob);
        }
        selectorCache.endMatching(selector);
    }

    void useOtherSelectors() {
        for (int i = 0; i < 300; i++) {
            engine.selectors().of(pattern("another " + i));
        }
    }

    List<QueueKey> leaseUntilEmpty(Selector selector, long cap) {
        List<QueueKey> leased = new ArrayList<>();
        for (List<QueueKey> some = once(selector, cap, 1); !some.isEmpty(); some = once(selector, cap, 1)) {
            leased.addAll(some);
        }
        return leased;
    }

    List<QueueKey> once(Selector selector, long cap, int tasks) {
        Lease lease = new Lease(selector, tasks, 1 << 20, 30_000, Optional.empty(), 0, cap, "w", "here");
        return leased(lease, (Decision.Done) decide(lease, true));
    }

    /** Returns the queues that tasks are leased from. */
    List<QueueKey> leased(Lease lease, Decision.Done done) {
        Reply.Leased reply = (Reply.Leased) done.reply();
        if (done.atom() != null) {
            state.apply(done.atom(), nowMillis);
        }
        engine.selectors().leased(lease, reply);
        return reply.tasks().stream().map(LeasedTask::queue).toList();
    }

    /** Enqueues one more task than the queue holds now, up to this number. */
    void put(QueueKey key, int tasks) {
        QueueState queue = state.queue(key);
        long generation = queue == null ? state.lastTicket() + 1 : queue.generation();
        Sizes sizes = queue == null ? Sizes.NONE : queue.sizes();
        List<ApplyAtom.TaskChange> puts = new ArrayList<>();
        for (long i = sizes.available() + sizes.leased(); i < tasks; i++) {
            puts.add(new ApplyAtom.Put(Pid.of("t" + i), new Enqueued(DATA, nowMillis, 0)));
        }
        apply(new QueueChange(
                key,
                generation,
                false,
                new Sizes(sizes.available() + puts.size(), sizes.leased(), 0),
                FifoPid.NONE,
                puts));
    }

    void delete(QueueKey key) {
        apply(new QueueChange(key, state.lastTicket() + 1, false, Sizes.NONE, FifoPid.NONE, List.of()));
    }

    private void apply(QueueChange change) {
        state.apply(new ApplyAtom(state.lastTicket() + 1, List.of(change)), nowMillis);
    }

    void configure(QueueKey key, QueueOptions options) {
        Decision.Done done = (Decision.Done) decide(new Command.Configure(key, options), true);
        state.apply(Objects.requireNonNull(done.atom()), nowMillis);
    }

    void flush() {
        FlushRound round = state.takeRound();
        state.tasksFlushed(round.tasks(), 0);
        state.recordsFlushed(round.records());
        state.roundCompleted();
    }

    QueueState queueOf(QueueKey key) {
        return Objects.requireNonNull(state.queue(key));
    }

    static QueueKey key(int i) {
        return QueueKey.of("g", "q" + i);
    }

    static Selector pattern(String regex) {
        return new Selector(Optional.of(GroupName.of("g")), List.of(), Optional.of(NamePattern.compile(regex)));
    }
}
