package io.taskmaster.server.partition;

import io.taskmaster.error.ErrorCode;
import io.taskmaster.error.TaskMasterException;
import io.taskmaster.model.Pid;
import io.taskmaster.server.engine.Choices;
import io.taskmaster.server.engine.Command;
import io.taskmaster.server.engine.Command.Selector;
import io.taskmaster.server.engine.Decision;
import io.taskmaster.server.engine.Decision.Need;
import io.taskmaster.server.engine.Engine;
import io.taskmaster.server.engine.PartitionState;
import io.taskmaster.server.engine.QueueState;
import io.taskmaster.server.engine.Reply;
import io.taskmaster.server.engine.StoredTask;
import io.taskmaster.server.engine.Task;
import io.taskmaster.server.store.ScanLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds out what requests need and memory does not know. Each request is parked on its needs, what it needs is read once for all, and
 * it goes on when the last of it is there. Point reads gather during a turn of the loop. Single-threaded: owned by the partition's
 * loop.
 */
final class Lookups {

    /** Of so many tasks the rows are asked for, or looked at, in one turn of the loop: one or two milliseconds. */
    static final int ROWS_AT_ONCE = 1000;

    /** The partition that the requests came to. */
    interface Host {

        /** All is known: decide again. */
        void decide(Request request);

        /** Answers what changes nothing. */
        void answerLook(Request request, Reply reply);

        /** The request gets its answer. */
        void forget(Request request);

        /** No more is found: answers with what there is. */
        void giveUp(Request request);

        /** Moves delayed tasks whose time has come. False if some are left for later. */
        boolean activate();
    }

    private static final Logger log = LoggerFactory.getLogger(Lookups.class);
    /** So many kinds of damage are told to the log in one epoch. */
    private static final int DAMAGE_TOLD = 16;

    private final int partition;
    private final PartitionLoop loop;
    private final Turns turns;
    private final PartitionSettings settings;
    private final PartitionState state;
    private final StoreReader reader;
    private final Choosing choosing;
    private final NodeMeters meters;
    private final TimeKeeper time;
    private final Refills refills;
    private final Host host;
    private final Parking parking;
    private final List<Decision.TaskRow> wantedRows = new ArrayList<>();
    private final Set<String> damageTold = new HashSet<>();

    Lookups(
            int partition,
            PartitionLoop loop,
            Turns turns,
            PartitionSettings settings,
            PartitionState state,
            MemoryBudget.Share budget,
            StoreReader reader,
            Choosing choosing,
            NodeMeters meters,
            Host host) {
        this.partition = partition;
        this.loop = loop;
        this.turns = turns;
        this.settings = settings;
        this.state = state;
        this.reader = reader;
        this.choosing = choosing;
        this.meters = meters;
        this.host = host;
        this.parking = new Parking(host::decide);
        this.time = new TimeKeeper(state, reader, settings, new TimeListener());
        this.refills = new Refills(turns, settings, state, budget, reader, meters, new RefillListener());
    }

    private final class TimeListener implements TimeKeeper.Listener {

        @Override
        public void caughtUp() {
            met(new Decision.Time());
        }

        @Override
        public void failed(Throwable failure) {
            readFailed(new Decision.Time(), failure);
        }

        @Override
        public boolean activate() {
            boolean isRoomForMore = host.activate();
            if (!isRoomForMore) {
                turns.endInAWhile();
            }
            return isRoomForMore;
        }
    }

    /** Lets time pass, or sees to it that it can. True if it has. */
    boolean passTime() {
        boolean there = !time.isBusy() && state.advance(turns.now());
        if (!there) {
            time.catchUp(turns.now());
        }
        return there;
    }

    /** Whether time is behind, and something is being done about it. */
    boolean isTimeBehind() {
        return time.isBusy();
    }

    /** Whether somebody waits for time to pass. */
    boolean isTimeAwaited() {
        return !parking.parkedOn(new Decision.Time()).isEmpty();
    }

    /** See {@link StoreReader#ticketAtLastResult}. */
    long ticketAtLastResult() {
        return reader.ticketAtLastResult();
    }

    /** Whether nobody waits. */
    boolean isIdle() {
        return parking.isEmpty();
    }

    /** Nothing comes back any more. Who was waiting. */
    List<Request> stop() {
        reader.stop();
        return parking.drain();
    }

    /** The request goes on when all of this is known. */
    void park(Request request, List<Need> needs) {
        List<Need> fresh = new ArrayList<>(needs.size());
        for (Need need : needs) {
            request.readStore |= isStored(need);
            if (parking.park(request, need)) {
                fresh.add(need);
            }
        }
        fresh.forEach(need -> read(request, need));
    }

    private static boolean isStored(Need need) {
        return switch (need) {
            case Decision.TaskRow _, Decision.MoreTasks _, Decision.Rows _, Decision.Time _ -> true;
            case Decision.Chosen _, Decision.Counted _ -> false;
        };
    }

    /** Work is answered, out of memory or not. What only looks does not count. */
    void answered(Request request) {
        if (request.command instanceof Command.Update || Request.leaseOf(request.command) != null) {
            meters.served(request.readStore);
        }
    }

    private void read(Request request, Need need) {
        switch (need) {
            case Decision.TaskRow row -> wantedRows.add(row);
            case Decision.MoreTasks more -> {
                QueueState queue = state.queue(more.queue());
                if (queue == null) {
                    loop.execute(() -> met(more));
                } else if (!queue.isRefilling()) {
                    refill(queue);
                }
            }
            case Decision.Rows rows -> peek(request, rows, rows.from());
            case Decision.Chosen chosen -> choose(chosen.selector(), chosen, () -> met(chosen));
            case Decision.Counted counted -> loop.execute(() -> count(counted));
            case Decision.Time time -> {
                this.time.catchUp(turns.now());
                loop.schedule(settings.timePatienceMillis(), () -> goOn(time));
            }
        }
        turns.endLater();
    }

    /** Finds out which queues a selector chooses, on behalf of those who are parked on a need. */
    private void choose(Selector selector, Need need, Runnable known) {
        choosing.choose(selector, new Choosing.Waiter() {

            @Override
            public boolean isGone() {
                return parking.parkedOn(need).stream().allMatch(request -> request.over || request.sink.isCancelled());
            }

            @Override
            public boolean isLimited() {
                return true;
            }

            @Override
            public void known() {
                known.run();
            }

            @Override
            public void refused(TaskMasterException why) {
                fail(need, why);
                state.queues().choices().counted(selector);
                turns.endLater();
            }

            @Override
            public void ended() {
                // Who is parked is told of the end of the epoch.
            }
        });
    }

    /** Many queues are counted in slices; whoever comes meanwhile and wants the same sum gets it too. */
    private void count(Decision.Counted counted) {
        Selector selector = counted.selector();
        Choices choices = state.queues().choices();
        if (!choices.isKnown(selector)) {
            choose(selector, counted, () -> count(counted));
        } else if (choices.countOn(selector, turns.now())) {
            met(counted);
            choices.counted(selector);
        } else {
            loop.execute(() -> count(counted));
        }
    }

    /** Who has waited long enough for time to pass is answered as far as it has. */
    private void goOn(Decision.Time need) {
        for (Request request : parking.parkedOn(need)) {
            request.onTime = false;
        }
        met(need);
    }

    private void met(Need need) {
        parking.met(need);
        turns.endLater();
    }

    /**
     * What could not be read cannot be decided: nothing was done, and the callers may try again, unless what is stored is damaged.
     */
    private void readFailed(Need need, Throwable failure) {
        fail(
                need,
                Damage.isBehind(failure)
                        ? damaged(failure)
                        : new TaskMasterException(
                                ErrorCode.READ_FAILED,
                                "store: " + failure.getMessage(),
                                Duration.ofMillis(settings.retryDelayMillis()),
                                failure));
    }

    /** Who has a part of a lease gets that. */
    private void fail(Need need, TaskMasterException error) {
        for (Request request : List.copyOf(parking.parkedOn(need))) {
            if (request.over) {
                continue;
            }
            if (request.hasEffect() && request.command instanceof Command.Lease) {
                host.giveUp(request);
            } else {
                request.fail(error);
                host.forget(request);
            }
        }
        parking.met(need);
    }

    /** What is damaged is told once to the log, and each time to who wants it; the rest of the partition is served on. */
    private TaskMasterException damaged(Throwable failure) {
        String what = String.valueOf(failure.getMessage());
        if (damageTold.size() < DAMAGE_TOLD && damageTold.add(what)) {
            log.error("partition {}: stored data are damaged, and not served: {}", partition, what);
        }
        return new TaskMasterException(ErrorCode.INTERNAL, "stored data are damaged: " + what, null, failure);
    }

    /**
     * Sends the point reads that have gathered: a slice of them in each turn, and what a slice brings comes back in a turn of its own,
     * so that an update of many unknown tasks does not hold others up.
     */
    void send() {
        if (wantedRows.isEmpty()) {
            return;
        }
        List<Decision.TaskRow> slice = wantedRows.subList(0, Math.min(wantedRows.size(), ROWS_AT_ONCE));
        List<Decision.TaskRow> wanted = List.copyOf(slice);
        slice.clear();
        if (!wantedRows.isEmpty()) {
            turns.endLater();
        }
        reader.tasks(wanted, (id, found, failure) -> {
            for (int i = 0; i < wanted.size(); i++) {
                Decision.TaskRow row = wanted.get(i);
                if (found == null) {
                    readFailed(row, failure(failure));
                } else {
                    learn(row, found.get(i), id);
                    met(row);
                }
            }
        });
    }

    private void learn(Decision.TaskRow row, Optional<StoredTask> found, long readId) {
        QueueState queue = state.queue(row.queue());
        if (queue == null || queue.generation() != row.generation()) {
            return;
        }
        Task task = found.isPresent() ? state.learn(queue, found.get(), readId) : state.learnAbsent(queue, row.pid());
        state.pin(task);
        for (Request request : parking.parkedOn(row)) {
            if (!request.over) {
                state.pin(task);
                request.pinned.add(task);
            }
        }
        state.unpin(task);
    }

    /** Has a queue's head read on, if that is not under way. */
    void refill(QueueState queue) {
        refills.want(queue);
    }

    private final class RefillListener implements Refills.Listener {

        @Override
        public void refilled(Decision.MoreTasks need) {
            met(need);
        }

        @Override
        public void failed(Decision.MoreTasks need, @Nullable Throwable failure) {
            readFailed(need, failure(failure));
        }
    }

    private void peek(Request request, Decision.Rows rows, Pid from) {
        Command.Peek asked = (Command.Peek) request.command;
        ScanLimit limit = new ScanLimit(asked.maxTasks() + 1, Math.max(asked.maxBytes(), 1));
        reader.scanAll(rows.queue(), rows.generation(), from, limit, (id, slice, failure) -> {
            if (slice == null) {
                readFailed(rows, failure(failure));
                return;
            }
            QueueState queue = state.queue(rows.queue());
            if (queue != null && queue.generation() != rows.generation()) {
                met(rows);
                return;
            }
            Reply.Peeked reply = Engine.peeked(state, asked, slice.tasks(), slice.end(), turns.now());
            if (reply.tasks().isEmpty() && reply.next().isPresent()) {
                peek(request, rows, reply.next().get());
                return;
            }
            for (Request waiting : List.copyOf(parking.parkedOn(rows))) {
                if (!waiting.over && waiting.command.equals(asked)) {
                    host.forget(waiting);
                    host.answerLook(waiting, reply);
                }
            }
            met(rows);
        });
    }

    private static Throwable failure(@Nullable Throwable failure) {
        return failure == null ? new IllegalStateException("read: neither value nor failure") : failure;
    }
}
