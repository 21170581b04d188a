package io.taskmaster.server.engine.state;

import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Enqueue;
import io.taskmaster.command.Command.IfExists;
import io.taskmaster.command.Command.Payload;
import io.taskmaster.command.FifoPid;
import io.taskmaster.command.QueueOptions;
import io.taskmaster.command.Reply;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.command.ApplyAtom;
import io.taskmaster.server.engine.command.Decision;
import io.taskmaster.server.engine.command.Decision.Need;
import io.taskmaster.server.engine.decide.Engine;
import io.taskmaster.server.engine.index.EngineState;
import io.taskmaster.server.engine.naive.Moment;
import io.taskmaster.server.engine.naive.NaiveQueues;
import io.taskmaster.server.engine.naive.RandomCommands;
import io.taskmaster.server.engine.select.PatternMatchJob;
import io.taskmaster.server.engine.select.PatternMatchSlice;
import io.taskmaster.server.engine.select.SelectorCache;
import io.taskmaster.server.engine.state.FlushRound.ReapMark;
import io.taskmaster.server.engine.state.FlushRound.TaskWrite;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A seeded run of the engine over {@link FakeRows}: random commands, reads that end late and return the rows of any
 * instant in between, rounds whose writes land one by one, evictions, restarts. All bounds are tiny. Every reply is
 * checked against {@link NaiveQueues}, and the state after every step against {@link PartitionStateInvariants}.
 * Single-threaded.
 */
final class EngineSimulation {

    private static final int SLICE_ROWS = 3;
    private static final int MANY_TASKS = 30;
    private static final long FOR_EVER = 1L << 40;
    private static final Command.Selector ALL = new Command.Selector(Optional.empty(), List.of(), Optional.empty());

    private final Random random;
    private final boolean withStore;
    private final EngineSettings settings;
    private final int maxHints;
    private final RandomCommands commands;
    private final NaiveQueues model;
    private final Ledger ledger = new Ledger();
    private final SimulatedLog log = new SimulatedLog();
    private final FakeRows rows = new FakeRows();
    private final Set<Long> lostRounds = new HashSet<>();

    private PartitionState state;
    private EngineState engine;
    private long nowMillis = 1_000;
    private long rounds;
    private int decided;

    private @Nullable Running running;
    private final List<ReapMark> toReap = new ArrayList<>();
    private final Map<Need, List<SimulatedRequest>> parked = new LinkedHashMap<>();
    private final SimulatedReads reads;
    private boolean timeKeeping;

    /** A round in flight: the outstanding writes, and then, behind its checkpoint, the tasks that are not settled. */
    private record Running(FlushRound round, long number, List<Runnable> writes, List<TaskWrite> unsettled) {}

    EngineSimulation(long seed, boolean withStore) {
        this.random = new Random(seed);
        this.withStore = withStore;
        this.settings = new EngineSettings(
                1 + random.nextInt(3),
                random.nextInt(3),
                random.nextInt(3) == 0 ? 1 + random.nextInt(2_000) : FOR_EVER);
        this.model = new NaiveQueues(settings.dedupMillis());
        this.maxHints = 1 + random.nextInt(4);
        this.commands = new RandomCommands(random, () -> nowMillis);
        this.state = new PartitionState(settings, maxHints);
        this.engine = EngineState.of(state);
        this.reads = new SimulatedReads(random, oldest -> state.reads().changed(oldest));
        state.recovered();
    }

    /** The number of commands that were decided. */
    int decided() {
        return decided;
    }

    void run(int steps) {
        for (int i = 0; i < steps; i++) {
            step();
            check();
        }
        drain();
    }

    private void step() {
        nowMillis += random.nextInt(10) == 0 ? random.nextInt(300) : random.nextInt(8);
        int choice = random.nextInt(100);
        if (!withStore) {
            decide(new SimulatedRequest(command()));
            reads.endOne();
        } else if (choice < 40) {
            decide(new SimulatedRequest(command()));
        } else if (choice < 65) {
            reads.endOne();
        } else if (choice < 85) {
            advanceRound();
        } else if (choice < 94) {
            state.evict(1 + random.nextInt(4_000));
        } else if (choice < 97) {
            reap();
        } else if (choice < 99) {
            checkRebuilt();
        } else {
            restart();
        }
    }

    private void check() {
        PartitionStateInvariants.check(state, rows, this::believes, ledger);
    }

    /** Empties everything and resets all options: nothing may be left behind, in memory or in the rows. */
    private void drain() {
        settle();
        decide(new SimulatedRequest(new Command.Delete(ALL)));
        List<QueueKey> left = state.queues().all().stream().map(QueueState::key).toList();
        left.forEach(queue -> decide(new SimulatedRequest(new Command.Configure(queue, QueueOptions.NONE))));
        nowMillis += 100_000;
        for (int i = 0; i < 4; i++) {
            settle();
            check();
            decide(new SimulatedRequest(new Command.ListQueues(ALL, 0, 0, 10, Optional.empty())));
        }
        if (state.queues().size() != 0 || state.residentBytes() != 0 || state.dirtyBytes() != 0) {
            throw new AssertionError("left in memory: " + state.queues());
        }
        if (!rows.isEmpty(this::believes)) {
            throw new AssertionError("left in the rows: " + rows);
        }
    }

    private void settle() {
        while (!reads.isEmpty() || running != null || state.isDirty() || !toReap.isEmpty()) {
            reads.endOne();
            advanceRound();
            reap();
        }
    }

    // ---------------------------------------------------------------- commands

    private Command command() {
        return switch (random.nextInt(held() < MANY_TASKS ? 9 : 40)) {
            case 0 -> enqueue(this::behindOrBefore);
            case 1 -> enqueue(() -> Optional.empty());
            case 2 -> enqueue(() -> Optional.of(Pid.of("" + (char) ('a' + random.nextInt(26)))));
            default -> commands.next();
        };
    }

    private long held() {
        return state.queues().all().stream().mapToLong(QueueState::total).sum();
    }

    /** Enqueues several tasks at once, so that a queue outgrows its window. */
    private Command enqueue(Supplier<Optional<Pid>> pid) {
        QueueKey queue = commands.queues().get(random.nextInt(commands.queues().size()));
        List<Enqueue> enqueues = new ArrayList<>();
        for (int i = 1 + random.nextInt(5); i > 0; i--) {
            Payload payload = new Payload(Bytes.of("!" + decided + "." + i), Map.of());
            enqueues.add(new Enqueue(queue.name(), pid.get(), payload, IfExists.COLLAPSE, 0));
        }
        return new Command.Update(queue.group(), enqueues, List.of(), List.of(), List.of());
    }

    /** Returns an explicit PID of the form that is assigned. */
    private Optional<Pid> behindOrBefore() {
        long ticket = Math.max(1, state.lastTicket() + random.nextInt(20) - 10);
        return Optional.of(new FifoPid(ticket, random.nextInt(4) - 2).toPid());
    }

    private void decide(SimulatedRequest request) {
        state.advance(nowMillis);
        activate(Integer.MAX_VALUE);
        switch (Engine.decide(engine, request.command, nowMillis)) {
            case Decision.Done done -> {
                ApplyAtom atom = done.atom();
                if (atom != null) {
                    apply(atom);
                }
                if (request.command instanceof Command.Lease lease && done.reply() instanceof Reply.Leased leased) {
                    engine.selectors().leased(lease, leased);
                    done.skipped().forEach(this::refillIfLow);
                }
                answer(request, done.reply());
                if (atom != null) {
                    atom.queues().forEach(change -> refillIfLow(change.queue()));
                }
            }
            case Decision.Partly partly -> throw new AssertionError("in parts: " + partly.remainder());
            case Decision.Waits waits -> waits.needs().forEach(need -> park(request, need));
        }
    }

    private void activate(int max) {
        for (ApplyAtom atom = Engine.activate(state, max, 200); atom != null; ) {
            apply(atom);
            atom.queues().forEach(change -> refillIfLow(change.queue()));
            atom = Engine.activate(state, max, 200);
        }
    }

    private void apply(ApplyAtom atom) {
        log.append(atom);
        ledger.apply(atom);
        Queues.Room needed = state.queues().neededBy(atom);
        int named = state.queues().named() + needed.queues();
        long bytes = state.queues().bytes() + needed.bytes();
        state.apply(atom, nowMillis);
        boolean clears =
                atom.options().stream().anyMatch(change -> change.options().equals(QueueOptions.NONE));
        if (!clears && state.queues().named() != named) {
            throw new AssertionError("named: " + state.queues().named() + ", expected " + named + " by " + atom);
        }
        if (state.queues().bytes() > bytes) {
            throw new AssertionError("bytes: " + state.queues().bytes() + ", expected " + bytes + " by " + atom);
        }
    }

    private void answer(SimulatedRequest request, Reply reply) {
        model.check(request.command, reply, Moment.at(nowMillis));
        commands.observe(reply);
        request.over = true;
        request.pinned.forEach(state.reads()::unpin);
        request.pinned.clear();
        decided++;
    }

    private void park(SimulatedRequest request, Need need) {
        request.awaited++;
        List<SimulatedRequest> waiting = parked.get(need);
        if (waiting != null) {
            waiting.add(request);
            return;
        }
        parked.put(need, new ArrayList<>(List.of(request)));
        switch (need) {
            case Decision.TaskRow row -> readTask(row);
            case Decision.MoreTasks more -> {
                QueueState queue = state.queue(more.queue());
                if (queue != null && !queue.isRefilling()) {
                    refill(queue);
                }
            }
            case Decision.Rows wanted -> peek(wanted, (Command.Peek) request.command, wanted.from());
            case Decision.Chosen chosen -> match(chosen);
            case Decision.Counted _ -> throw new AssertionError("more queues than there are");
            case Decision.Time _ -> keepTime();
        }
    }

    private void match(Decision.Chosen chosen) {
        SelectorCache selectorCache = engine.selectors();
        selectorCache.beginTick();
        PatternMatchJob patternMatchJob = selectorCache.beginMatching(chosen.selector());
        for (PatternMatchSlice slice = patternMatchJob.next(); slice != null; slice = patternMatchJob.next()) {
            slice.run();
            patternMatchJob.apply(slice);
        }
        selectorCache.endMatching(chosen.selector());
        met(chosen);
    }

    private void met(Need need) {
        List<SimulatedRequest> waiting = parked.remove(need);
        if (waiting != null) {
            for (SimulatedRequest request : waiting) {
                if (--request.awaited == 0 && !request.over) {
                    decide(request);
                }
            }
        }
    }

    // ---------------------------------------------------------------- reads

    private void readTask(Decision.TaskRow row) {
        reads.begin(() -> rows.task(row.queue(), row.generation(), row.pid(), this::believes), (found, id) -> {
            QueueState queue = state.queue(row.queue());
            if (queue != null && queue.generation() == row.generation()) {
                Task task = found.isPresent()
                        ? state.reads().load(queue, found.get(), id)
                        : state.reads().loadAbsent(queue, row.pid());
                for (SimulatedRequest request : parked.getOrDefault(row, List.of())) {
                    state.reads().pin(task);
                    request.pinned.add(task);
                }
            }
            met(row);
        });
    }

    private void refillIfLow(QueueKey key) {
        QueueState queue = state.queue(key);
        if (queue != null && state.needsRefill(queue)) {
            refill(queue);
        }
    }

    private void refill(QueueState queue) {
        queue.refilling(true);
        Pid from = queue.refillFrom();
        long generation = queue.generation();
        int limit = 1 + random.nextInt(SLICE_ROWS);
        reads.begin(() -> rows.scan(queue.key, generation, from, limit, this::believes), (slice, id) -> {
            queue.refilling(false);
            state.reads().windowScanned(queue, generation, from, slice.tasks(), slice.end(), random.nextBoolean(), id);
            met(new Decision.MoreTasks(queue.key));
        });
    }

    private void peek(Decision.Rows wanted, Command.Peek asked, Pid from) {
        int limit = 1 + random.nextInt(SLICE_ROWS);
        reads.begin(
                () -> rows.scanAll(wanted.queue(), wanted.generation(), from, limit, this::believes), (slice, id) -> {
                    QueueState queue = state.queue(wanted.queue());
                    if (queue == null || queue.generation() == wanted.generation()) {
                        Reply.Peeked reply = Engine.peeked(state, asked, slice.tasks(), slice.end(), nowMillis);
                        if (reply.tasks().isEmpty() && reply.next().isPresent()) {
                            peek(wanted, asked, reply.next().get());
                            return;
                        }
                        for (SimulatedRequest request : List.copyOf(parked.getOrDefault(wanted, List.of()))) {
                            if (!request.over && request.command.equals(asked)) {
                                answer(request, reply);
                            }
                        }
                    }
                    met(wanted);
                });
    }

    private void keepTime() {
        if (timeKeeping) {
            return;
        }
        timeKeeping = true;
        passTime();
    }

    private void passTime() {
        boolean advanced = state.advance(nowMillis);
        activate(1 + random.nextInt(3));
        if (advanced) {
            timeKeeping = false;
            met(new Decision.Time());
            return;
        }
        List<TimeHint> due = state.hints().due(nowMillis, SLICE_ROWS, random.nextInt(400));
        TimeHint from = state.hints().loadFrom();
        if (!due.isEmpty()) {
            settleHint(due.get(random.nextInt(due.size())));
        } else if (from != null) {
            int limit = 1 + random.nextInt(SLICE_ROWS);
            reads.begin(() -> rows.hints(from, limit, this::believes), (found, id) -> {
                state.hints().loaded(from, found.hints(), found.next());
                passTime();
            });
        } else {
            throw new AssertionError("time is stuck at " + nowMillis);
        }
    }

    private void settleHint(TimeHint hint) {
        QueueState queue = state.queue(hint.queue());
        if (queue == null
                || queue.generation() != hint.generation()
                || state.hints().isInMemory(hint)) {
            state.hints().settled(hint);
            passTime();
            return;
        }
        reads.begin(() -> rows.task(hint.queue(), hint.generation(), hint.pid(), this::believes), (found, id) -> {
            QueueState now = state.queue(hint.queue());
            if (now != null && now.generation() == hint.generation() && found.isPresent()) {
                state.reads().load(now, found.get(), id);
            }
            state.hints().settled(hint);
            passTime();
        });
    }

    // ---------------------------------------------------------------- rounds

    private void advanceRound() {
        Running round = running;
        if (round == null) {
            if (state.isDirty()) {
                FlushRound flushRound = state.takeRound();
                List<Runnable> writes = rows.writes(flushRound, ++rounds);
                Collections.shuffle(writes, random);
                running = new Running(flushRound, rounds, writes, new ArrayList<>(flushRound.tasks()));
            }
            return;
        }
        log.durable(round.round.ticket());
        for (int i = 1 + random.nextInt(8); i > 0 && !round.writes.isEmpty(); i--) {
            round.writes.removeLast().run();
        }
        if (isCheckpointed(round)) {
            log.checkpoint(round.round.ticket());
            List<TaskWrite> slice = round.unsettled.subList(0, Math.min(round.unsettled.size(), random.nextInt(8)));
            state.tasksFlushed(List.copyOf(slice), reads.newest());
            slice.clear();
            if (round.unsettled.isEmpty()) {
                running = null;
                state.recordsFlushed(round.round.records());
                state.roundCompleted();
                toReap.addAll(round.round.marks());
            }
        }
    }

    private static boolean isCheckpointed(Running round) {
        return round.writes.isEmpty();
    }

    private void reap() {
        if (!toReap.isEmpty()) {
            ReapMark mark = toReap.removeFirst();
            rows.reap(mark);
            state.reaped(mark);
        }
    }

    private boolean believes(long round) {
        return !lostRounds.contains(round);
    }

    // ---------------------------------------------------------------- recovery

    /** Kills the owner with everything in memory; another one takes over. All atoms are durable. */
    private void restart() {
        if (running != null && !isCheckpointed(running)) {
            lostRounds.add(running.number);
        }
        running = null;
        reads.clear();
        parked.clear();
        timeKeeping = false;
        toReap.clear();
        log.durable(state.lastTicket());
        state = rebuild(state.lastTicket(), this::believes, toReap::add);
        engine = EngineState.of(state);
    }

    /** Cuts the log anywhere behind the ticket up to which rows were written, and compares the result of a recovery. */
    private void checkRebuilt() {
        Running round = running;
        long cut = random.nextBoolean()
                ? state.lastTicket()
                : log.durable() + random.nextInt((int) (state.lastTicket() - log.durable()) + 1);
        LongPredicate believed =
                number -> believes(number) && (round == null || isCheckpointed(round) || number != round.number);
        Ledger expected = new Ledger();
        log.all(cut).forEach(expected::apply);
        PartitionStateInvariants.check(rebuild(cut, believed, _ -> {}), rows, believed, expected);
    }

    /** Recovers a state in the order of {@code partition.Recovery}. */
    private PartitionState rebuild(long cut, LongPredicate believed, Consumer<ReapMark> marks) {
        PartitionState rebuilt = new PartitionState(settings, maxHints);
        log.behindCheckpoint(cut).forEach(atom -> rebuilt.apply(atom, nowMillis));
        rebuilt.restorer().ticket(cut);
        rows.records(believed).forEach(rebuilt.restorer()::restore);
        rows.marks(believed).forEach((queue, generation) -> {
            ReapMark mark = new ReapMark(queue, generation);
            rebuilt.restorer().restore(mark);
            marks.accept(mark);
        });
        rows.options(believed).forEach(rebuilt.restorer()::restore);
        rows.requests(believed).forEach(rebuilt.requests()::restore);
        rebuilt.recovered();
        return rebuilt;
    }
}
