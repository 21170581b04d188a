package io.taskmaster.server.engine;

import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.ApplyAtom.OptionsChange;
import io.taskmaster.server.engine.ApplyAtom.QueueChange;
import io.taskmaster.server.engine.ApplyAtom.TaskChange;
import io.taskmaster.server.engine.FlushRound.QueueRecord;
import io.taskmaster.server.engine.FlushRound.RecordWrite;
import io.taskmaster.server.engine.dedup.DedupWindow;
import io.taskmaster.server.engine.dedup.Memo;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of one partition. Single-threaded: owned by the partition's loop.
 *
 * <p>{@link #apply} alone changes what the partition promises, in normal running and in recovery alike. All other methods change only
 * what is known of it in memory: they learn what a read brought, let time pass, take rounds, or give entries up.
 */
public final class PartitionState {

    private final Queues queues;
    private final EngineSettings settings;

    final TimeIndex times;
    final Residency residency;
    final DirtyState dirty;

    /** Delayed tasks whose time has come, to be moved to their places; some of them may be of dead generations. */
    private final LinkedHashSet<Task> due = new LinkedHashSet<>();

    /** Queues in which a lease ran out, until somebody asks. */
    private final LinkedHashSet<QueueState> ranOut = new LinkedHashSet<>();

    private final DedupWindow requests;

    /** Of the queue that an atom is being applied to. */
    private final Deeds deeds = new Deeds();

    private long lastTicket;
    private long leases;
    private boolean replaying = true;

    public PartitionState(EngineSettings settings) {
        this(settings, TimeIndex.MAX_HINTS);
    }

    /**
     * @param maxHints how much of the head of the stored time index is kept in memory
     */
    PartitionState(EngineSettings settings, int maxHints) {
        this.settings = settings;
        this.queues = new Queues(settings.families());
        this.times = new TimeIndex(maxHints);
        this.residency = new Residency(settings, times);
        this.requests = new DedupWindow(settings.dedupMillis());
        this.dirty = new DirtyState(residency, requests);
    }

    // ---------------------------------------------------------------- recovery

    /** Recovery, after the replay: a queue as the last complete round stored it. What the log says of it counts more. */
    public void restore(QueueKey key, QueueRecord record) {
        QueueState queue = queues.get(key);
        if (queue == null) {
            queue = queues.create(key, record.generation());
            queues.changing(queue);
            queue.sizes(record.sizes());
            queues.changed(queue);
            queue.maxFifo = record.maxFifo();
            queue.window.unknownFrom(record.lowWater());
        } else if (queue.generation == record.generation()) {
            Pid lowest = queue.tasks.isEmpty() ? record.lowWater() : queue.tasks.firstKey();
            queue.window.unknownFrom(lowest.compareTo(record.lowWater()) < 0 ? lowest : record.lowWater());
        }
        queue.recordStored = true;
    }

    /** Recovery: garbage that was marked and is not known to be gone. */
    public void restore(ReapMark mark) {
        dirty.knownMark(mark);
    }

    /** Recovery, after the replay: options as the last complete round stored them. */
    public void restore(QueueKey key, QueueOptions stored) {
        if (!dirty.hasOptions(key)) {
            queues.options(key, stored);
        }
    }

    /** Recovery: the last ticket of the log. */
    public void restoreTicket(long checkpointTicket) {
        lastTicket = checkpointTicket;
    }

    /** All records are restored and the log is replayed: from here on commands are decided. */
    public void recovered() {
        replaying = false;
        queues.createTold(lastTicket);
        for (QueueState queue : queues.all()) {
            queue.noticeCompleteness();
        }
    }

    // ---------------------------------------------------------------- the one way to change

    /** Applies an atom. Applying one again, or one whose effects are in the rows already, changes nothing. */
    public void apply(ApplyAtom atom, long nowMillis) {
        lastTicket = atom.ticket();
        List<QueueChange> changes = atom.queues();
        for (int i = 0; i < changes.size(); i++) {
            apply(changes.get(i), nowMillis);
        }
        queues.families().ends();
        for (OptionsChange change : atom.options()) {
            apply(change);
        }
        Memo memo = atom.memo();
        if (memo != null) {
            requests.add(memo);
        }
    }

    private void apply(OptionsChange change) {
        boolean takenBack = change.options().equals(QueueOptions.NONE);
        QueueState queue = queues.get(change.queue());
        if (queue == null && !takenBack && !replaying) {
            queues.create(change.queue(), lastTicket);
        }
        queues.options(change.queue(), change.options());
        dirty.options(change);
        if (queue != null && takenBack && queue.total() == 0) {
            // The next round forgets it.
            dirty.record(queue);
        }
    }

    private void apply(QueueChange change, long nowMillis) {
        QueueState queue = queues.get(change.queue());
        if (queue == null) {
            queue = queues.create(change.queue(), change.generation());
            queue.recordStored = replaying;
            if (replaying) {
                queue.window.unknownFrom(Pid.EMPTY);
            }
        }
        queues.changing(queue);
        if (queue.generation != change.generation()) {
            restart(queue, change.generation());
        }
        if (change.reap()) {
            dirty.mark(new ReapMark(queue.key, change.generation()));
        }
        queue.sizes(change.sizes());
        queue.maxFifo = change.maxFifo();
        List<TaskChange> tasks = change.tasks();
        for (int i = 0; i < tasks.size(); i++) {
            apply(queue, tasks.get(i), nowMillis);
        }
        if (!tasks.isEmpty()
                && tasks.getLast() instanceof ApplyAtom.Lease lease
                && lease.grant().leaseId() == lastTicket) {
            residency.touch(queue);
            leases++;
            queue.leased(lease.grant().expiresMillis() - lease.grant().leasedMillis());
        }
        if (!replaying) {
            queue.noticeCompleteness();
            queue.count(deeds, nowMillis);
            queues.families().changed(queue.family, queue.key, deeds.enqueued(), deeds.leased(), deeds.dequeued());
        }
        deeds.clear();
        queues.changed(queue);
        dirty.record(queue);
    }

    private void apply(QueueState queue, TaskChange change, long nowMillis) {
        Task task = queue.tasks.get(change.pid());
        if (task == null) {
            task = new Task(queue, change.pid());
            task.cells = replaying ? CellSet.ANY : CellSet.NONE;
            queue.keep(task);
        } else {
            unindex(task);
        }
        count(task, -1);
        task.change(change, deeds, nowMillis);
        count(task, 1);
        index(task);
        if (!task.isDelayed()) {
            queue.window.stores(task.pid);
        }
        if (!task.present && task.cells.isEmpty() && task.pins == 0 && residency.isSettled(task)) {
            forgetUnstored(task);
        } else {
            residency.account(task);
            dirty.task(task);
        }
    }

    /** Counts the task, as it is, among those in memory, or takes it out of the count. */
    private static void count(Task task, int sign) {
        if (task.present) {
            task.queue.live += sign;
            task.queue.liveDelayed += task.isDelayed() ? sign : 0;
        }
    }

    /** Enqueued and dequeued before any round took it: it never touches the rows. */
    private void forgetUnstored(Task task) {
        dirty.forget(task);
        residency.remove(task);
    }

    /** A new generation: everything known of the old one goes at once, however much that is. */
    private void restart(QueueState queue, long generation) {
        times.forget(queue);
        dirty.dropped(queue);
        residency.dropped(queue);
        queue.restart(generation);
    }

    // ---------------------------------------------------------------- indexes

    private void unindex(Task task) {
        if (task.isReady()) {
            task.queue.offerNoMore(task);
        }
        if (task.counted) {
            task.queue.fired(task.isDelayed(), -1);
            task.counted = false;
            due.remove(task);
        } else if (task.isTimed()) {
            times.remove(task);
        }
    }

    private void index(Task task) {
        if (task.isTimed()) {
            times.add(task);
        } else if (task.present) {
            task.queue.offer(task);
        }
    }

    /** Its instant has come and is counted. */
    private void fired(Task task) {
        task.counted = true;
        if (task.isDelayed()) {
            due.add(task);
        } else {
            task.queue.offer(task);
        }
    }

    // ---------------------------------------------------------------- time

    /**
     * Lets time pass: leases that ran out are counted, and their tasks can be leased; delays that are over are counted, and their
     * tasks are {@link #due} to be moved.
     *
     * @return false if the stored time index has to be looked at first: see {@link #hintsDue} and {@link #loadHintsFrom}
     */
    public boolean advance(long nowMillis) {
        for (Task task = times.fireNext(nowMillis); task != null; task = times.fireNext(nowMillis)) {
            queues.changing(task.queue);
            task.queue.fired(task.isDelayed(), 1);
            fired(task);
            if (task.isLeased()) {
                task.queue.rates.expired();
                task.queue.family.expired();
                ranOut.add(task.queue);
            }
            queues.changed(task.queue);
            residency.settle(task);
        }
        return times.advancedTo(nowMillis);
    }

    /** When the next lease runs out or the next delay is over, as far as known; {@link Long#MAX_VALUE}: never. */
    public long nextInstantMillis() {
        return times.nextMillis();
    }

    /** The queues in which leases have run out since this was asked. */
    public List<QueueState> takeRanOut() {
        List<QueueState> taken = ranOut.isEmpty() ? List.of() : List.copyOf(ranOut);
        ranOut.clear();
        return taken;
    }

    /** How many delayed tasks wait to be moved to their places, at most. */
    public int dueCount() {
        return due.size();
    }

    /** Some of the delayed tasks whose time has come, in its order. */
    List<Task> due(int max) {
        List<Task> first = new ArrayList<>(Math.min(max, due.size()));
        for (Iterator<Task> tasks = due.iterator(); tasks.hasNext() && first.size() < max; ) {
            Task task = tasks.next();
            if (task.generation == task.queue.generation) {
                first.add(task);
            } else {
                tasks.remove();
            }
        }
        return first;
    }

    /**
     * Stored instants that have come: their tasks must be read before time can pass.
     *
     * @param maxBytes of data that these tasks have, for all but the first
     */
    public List<TimeHint> hintsDue(long nowMillis, int max, long maxBytes) {
        return times.due(nowMillis, max, maxBytes);
    }

    /** Whether the stored index must be read on before time can pass this instant. */
    public boolean needsHints(long nowMillis) {
        return !times.knows(nowMillis);
    }

    /** From where the stored index must be read on; null if all of it is known. */
    public @Nullable TimeHint loadHintsFrom() {
        return times.loadFrom();
    }

    /**
     * Rows of the stored index, from {@link #loadHintsFrom} on.
     *
     * @param from where the scan began; if that is no longer the place to go on from, its result is discarded
     * @param until every row before this is among them; null: there are no more
     */
    public void hintsLoaded(TimeHint from, List<TimeHint> hints, @Nullable TimeHint until) {
        times.loaded(from, hints, until);
    }

    /** Whether memory knows what became of the task that a hint stands for. */
    public boolean isInMemory(TimeHint hint) {
        QueueState queue = queues.get(hint.queue());
        return queue != null && queue.generation == hint.generation() && queue.tasks.containsKey(hint.pid());
    }

    /** The task of a hint has been read and learned, or is in memory anyway. */
    public void hintSettled(TimeHint hint) {
        times.settled(hint);
        QueueState queue = queues.get(hint.queue());
        Task task = queue == null || queue.generation != hint.generation() ? null : queue.present(hint.pid());
        // The row says when, not why: a later lease that runs out at the same instant has the same row.
        if (task == null || task.firesMillis() != hint.millis()) {
            dirty.staleHint(hint);
            if (task != null) {
                residency.settle(task);
            }
        }
    }

    // ---------------------------------------------------------------- what reads bring

    /** Learns a stored task, unless memory knows better. */
    public Task learn(QueueState queue, StoredTask row, long readId) {
        Task task = queue.tasks.get(row.pid());
        if (task == null) {
            task = new Task(queue, row.pid());
            task.present = true;
            task.learn(row.data());
            task.attempt = row.attempt();
            task.grant = row.grant();
            task.remembers = row.remembers();
            task.rerun = row.remembers() ? row.rerun() : null;
            task.cells = row.cells();
            task.storedFiresMillis = task.firesMillis();
            queue.keep(task);
            count(task, 1);
            if (task.isTimed() && task.firesMillis() <= times.firedUntil()) {
                fired(task);
            } else {
                index(task);
            }
            residency.account(task);
            queue.noticeCompleteness();
        } else if (task.present && readId > task.cleanSinceRead) {
            learnMissing(task, row);
        }
        return task;
    }

    /** Learns the parts of a task that memory had let go of. */
    private void learnMissing(Task task, StoredTask row) {
        if (task.data == null) {
            task.learn(row.data());
            task.queue.offersOther();
        }
        if (task.remembers && task.rerun == null) {
            task.rerun = row.rerun();
        }
        residency.account(task);
    }

    /** Learns that there is no stored task, unless memory knows better. */
    public Task learnAbsent(QueueState queue, Pid pid) {
        Task task = queue.tasks.get(pid);
        if (task == null) {
            task = new Task(queue, pid);
            queue.keep(task);
            residency.account(task);
        }
        return task;
    }

    /**
     * Learns what a scan for the window brought, if it still fits: if neither generation nor window changed since it began.
     *
     * @param from where the scan began
     * @param end where it ended; empty: at the end of the queue
     * @param keepLeased whether there is memory for tasks that nobody can lease now
     */
    public void refilled(
            QueueState queue,
            long generation,
            Pid from,
            List<StoredTask> rows,
            Optional<Pid> end,
            boolean keepLeased,
            long readId) {
        Window window = queue.window;
        if (queue.generation != generation
                || window.isComplete()
                || !window.scanFrom().equals(from)) {
            return;
        }
        if (end.isPresent()) {
            window.extendedTo(end.get());
        } else {
            window.reachedEnd();
        }
        for (StoredTask row : rows) {
            Grant grant = row.grant();
            boolean running = grant != null && grant.expiresMillis() > times.firedUntil();
            if (running && !keepLeased && !queue.tasks.containsKey(row.pid())) {
                window.forgotLeased(row.pid());
            } else {
                residency.settle(learn(queue, row, readId));
            }
        }
        residency.touch(queue);
    }

    /** A parked command waits for this entry: it stays. */
    public void pin(Task task) {
        task.pins++;
    }

    public void unpin(Task task) {
        task.pins--;
        residency.settle(task);
    }

    /** Reads began or ended: the oldest one under way, or {@link Long#MAX_VALUE}. */
    public void readsChanged(long oldestReadId) {
        residency.readsChanged(oldestReadId);
    }

    // ---------------------------------------------------------------- rounds and memory

    /** Takes everything that is dirty, as of the last atom. One round at a time. */
    public FlushRound takeRound() {
        return dirty.take(lastTicket);
    }

    /**
     * Some of a round's tasks, whose checkpoint is durable.
     *
     * @param newestReadId of the reads that have begun
     */
    public void tasksFlushed(List<FlushRound.TaskWrite> tasks, long newestReadId) {
        dirty.flushed(tasks, newestReadId);
    }

    /** Some of the records of a round whose tasks are all flushed. Queues of which nothing is left are forgotten, unless they were told something. */
    public void recordsFlushed(List<RecordWrite> records) {
        for (QueueState queue : dirty.recordsFlushed(records)) {
            if (queue.isShown()) {
                continue;
            }
            if (queue.tasks.isEmpty() && !queue.refilling) {
                queues.remove(queue);
                residency.dropped(queue);
            } else {
                dirty.record(queue);
            }
        }
    }

    /** All of the round's tasks and records are flushed. */
    public void roundCompleted() {
        dirty.roundCompleted();
    }

    /** How many of these queues were deleted and have rows that are not reaped yet. */
    public int unreaped(Collection<QueueKey> among) {
        int unreaped = 0;
        for (QueueKey queue : among) {
            unreaped += dirty.isMarked(queue) ? 1 : 0;
        }
        return unreaped;
    }

    public void reaped(ReapMark mark) {
        dirty.reaped(mark);
        if (!dirty.hasMarks()) {
            // What the deleted tasks have left in the stored time index nobody remembers: it is found again there.
            times.startOver();
        }
        QueueState queue = queues.get(mark.queue());
        // A record must never be rewritten without an atom behind it that a replay would bring again: if its round is
        // not completed,
        // nobody believes what it left. Only that of an empty queue, which the mark alone has kept, may get lost.
        if (queue != null && queue.total() == 0) {
            dirty.record(queue);
        }
    }

    /** How many tasks and queues the next round takes, at most. */
    public int dirtyEntries() {
        return dirty.entries();
    }

    public boolean isDirty() {
        return !dirty.isEmpty();
    }

    /** Memory that is bound until it is flushed, in bytes. */
    public long dirtyBytes() {
        return dirty.bytes();
    }

    /** Memory of all that is known, in bytes, what is dirty included. */
    public long residentBytes() {
        return residency.bytes();
    }

    /** Gives up windows, of the queues idle longest first. */
    public void evict(long bytes) {
        residency.evict(bytes);
    }

    // ---------------------------------------------------------------- views

    public long lastTicket() {
        return lastTicket;
    }

    /** How often a queue was leased from: what windows are for. */
    public long leases() {
        return leases;
    }

    /** What waits for an instant up to and including this one is counted as fired. */
    long firedUntil() {
        return times.firedUntil();
    }

    public Queues queues() {
        return queues;
    }

    public @Nullable QueueState queue(QueueKey key) {
        return queues.get(key);
    }

    /** The updates with an id that have been committed of late. */
    public DedupWindow requests() {
        return requests;
    }

    /** Whether a scan for more of this queue would be welcome: there is more, and what is at hand runs low. */
    public boolean wantsRefill(QueueState queue) {
        return !queue.refilling && queue.hasMoreStored() && queue.ready.size() < settings.lowWaterTasks();
    }
}
