package io.taskmaster.server.engine.state;

import io.taskmaster.command.QueueOptions;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.command.ApplyAtom;
import io.taskmaster.server.engine.command.ApplyAtom.OptionsChange;
import io.taskmaster.server.engine.command.ApplyAtom.QueueChange;
import io.taskmaster.server.engine.command.ApplyAtom.TaskChange;
import io.taskmaster.server.engine.dedup.DedupEntry;
import io.taskmaster.server.engine.dedup.DedupWindow;
import io.taskmaster.server.engine.state.FlushRound.ReapMark;
import io.taskmaster.server.engine.state.FlushRound.RecordWrite;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of one partition: its queues, the time index, the memory budget, the dirty state and the dedup window.
 * Single-threaded: owned by the partition's loop.
 *
 * <p>This is the {@code apply} half of the pure engine ({@code docs/adr/0001-single-writer-and-pure-engine.md}; paper
 * section 5.3). {@code Engine.decide} reads the state and produces an {@link ApplyAtom}; {@link #apply} puts it into
 * effect, in normal operation and in recovery alike.
 *
 * <p>Two kinds of state:
 *
 * <ul>
 *   <li><em>Promised</em> state: queue sizes, tasks, options, generations, remembered requests. Only {@link #apply}
 *       changes it (and {@code restore} before the partition serves). The log and the rows can reproduce it.
 *   <li><em>Known</em> state: the part of it that is in memory. The other methods change only this part: they load rows
 *       that reads return, let time pass, take flush rounds, or evict entries.
 * </ul>
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>Sizes are exact as of the last atom. {@link QueueState#expired} and {@link QueueState#due} are exact as of the
 *       position of the clock in the {@link TimeIndex}; {@link #advance} moves it and never moves it back.
 *   <li>Atoms are absolute. Applying one whose effects are already in the rows changes nothing. Tickets grow from atom
 *       to atom, which {@link ApplyInvariants} checks with the sizes, the leases and the counts.
 *   <li>An entry in memory takes precedence over a row. A read may fill in what memory lacks. It never replaces what
 *       memory has.
 *   <li>A present task is in exactly one place of the indexes: in {@link QueueState#ready} if it may be leased, in the
 *       {@link TimeIndex} if it waits for an instant that has not been counted, in {@code due} if its delay is over and
 *       the move to its place is outstanding.
 *   <li>A PID whose task was enqueued and dequeued between two rounds never touches the rows.
 * </ul>
 *
 * <p>Life cycle: replay of the log by {@link #apply}, {@link StateRestorer#ticket}, {@code restore} of the stored
 * records, options and marks, then {@link #recovered}. The log precedes the records because its effects are absolute
 * and newer; a restored record fills in only what the log did not mention.
 *
 * <p>Reads race with changes. A read that began before an entry became clean may return an older value, so the entry
 * stays in memory until that read has ended ({@link Residency}). A scan for a window is discarded if the generation or
 * the window changed since it began ({@link ReadResults#windowScanned}).
 */
public final class PartitionState {

    final Queues queues;
    private final EngineSettings settings;

    final TimeIndex times;
    final Residency residency;
    final DirtyState dirty;

    private final DueTasks due = new DueTasks();

    /** Queues in which a lease has expired since the last {@link #takeExpiredQueues}. */
    private final LinkedHashSet<QueueState> expiredQueues = new LinkedHashSet<>();

    private final DedupWindow requests;
    private final StateRestorer restorer;
    private final ReadResults reads;
    private final TimeHints hints;

    /** The counts of the queue that an atom is being applied to. */
    private final TaskCounts taskCounts = new TaskCounts();

    long lastTicket;
    private long leases;
    private boolean replaying = true;

    public PartitionState(EngineSettings settings) {
        this(settings, TimeIndex.MAX_HINTS);
    }

    /** @param maxHints the number of entries at the head of the stored time index to keep in memory */
    PartitionState(EngineSettings settings, int maxHints) {
        this.settings = settings;
        this.queues = new Queues(settings.families());
        this.times = new TimeIndex(maxHints);
        this.residency = new Residency(settings, times);
        this.requests = new DedupWindow(settings.dedupMillis());
        this.dirty = new DirtyState(residency, requests);
        this.restorer = new StateRestorer(this);
        this.reads = new ReadResults(this);
        this.hints = new TimeHints(this);
    }

    // ---------------------------------------------------------------- recovery

    /** The records that a recovery restores. */
    public StateRestorer restorer() {
        return restorer;
    }

    /** Ends the recovery: all records are restored and the log is replayed. From here on commands are decided. */
    public void recovered() {
        replaying = false;
        queues.createConfigured(lastTicket);
        for (QueueState queue : queues.all()) {
            queue.noticeCompleteness();
        }
    }

    // ---------------------------------------------------------------- the one way to change

    /**
     * Applies an atom. Applying one whose effects are in the rows already changes nothing.
     *
     * @throws IllegalStateException if an invariant is broken: the epoch has to end
     */
    public void apply(ApplyAtom atom, long nowMillis) {
        ApplyInvariants.ticketGrows(atom.ticket(), lastTicket);
        lastTicket = atom.ticket();
        List<QueueChange> changes = atom.queues();
        for (int i = 0; i < changes.size(); i++) {
            apply(changes.get(i), nowMillis);
        }
        queues.families().endAtom();
        for (OptionsChange change : atom.options()) {
            apply(change);
        }
        DedupEntry dedupEntry = atom.dedupEntry();
        if (dedupEntry != null) {
            requests.add(dedupEntry);
        }
        due.dropDead();
    }

    private void apply(OptionsChange change) {
        boolean isCleared = change.options().equals(QueueOptions.NONE);
        QueueState queue = queues.get(change.queue());
        // In a replay the record of the queue may be still to come; recovered() creates those that have none.
        if (queue == null && !isCleared && !replaying) {
            queues.create(change.queue(), lastTicket);
        }
        queues.options(change.queue(), change.options());
        dirty.options(change);
        if (queue != null && isCleared && queue.total() == 0) {
            // The next round deletes the record.
            dirty.record(queue);
        }
    }

    private void apply(QueueChange change, long nowMillis) {
        ApplyInvariants.sizesAreNotNegative(change);
        QueueState queue = queues.get(change.queue());
        if (queue == null) {
            queue = queues.create(change.queue(), change.generation());
            // In a replay nothing is known of the rows: a record may be stored, and the window starts empty and
            // unknown.
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
        ApplyInvariants.countsFitSizes(queue);
        // The atom of a lease has leases only, so its last change tells for all. A renewal keeps the older id of its
        // lease.
        if (!tasks.isEmpty()
                && tasks.getLast() instanceof ApplyAtom.Lease lease
                && lease.grant().leaseId() == lastTicket) {
            residency.touch(queue);
            leases++;
            queue.leased(lease.grant().expiresMillis() - lease.grant().leasedMillis());
        }
        if (!replaying) {
            queue.noticeCompleteness();
            queue.count(taskCounts, nowMillis);
            queues.families()
                    .changed(
                            queue.family, queue.key, taskCounts.enqueued(), taskCounts.leased(), taskCounts.dequeued());
        }
        taskCounts.clear();
        queues.changed(queue);
        dirty.record(queue);
    }

    private void apply(QueueState queue, TaskChange change, long nowMillis) {
        Task task = queue.tasks.get(change.pid());
        if (task == null) {
            task = new Task(queue, change.pid());
            task.cells = replaying ? CellSet.ANY : CellSet.NONE;
            queue.keep(task);
            // The indexes are ordered by fields that the change is about to alter, so the task leaves them first.
        } else {
            unindex(task);
        }
        count(task, -1);
        if (change instanceof ApplyAtom.Lease lease) {
            ApplyInvariants.leaseIdMatches(task, lease.grant(), lastTicket);
        } else if (change instanceof ApplyAtom.Remember remember) {
            ApplyInvariants.leaseIdMatches(task, remember.grant(), lastTicket);
        }
        task.change(change, taskCounts, nowMillis);
        count(task, 1);
        index(task);
        if (!task.isDelayed()) {
            queue.window.stores(task.pid);
        }
        // A read that is in flight may still return an older row, so the entry is needed to refute it until it is
        // settled.
        if (!task.present && task.cells.isEmpty() && task.pins == 0 && residency.isSettled(task)) {
            forgetUnstored(task);
        } else {
            residency.account(task);
            dirty.task(task);
        }
    }

    /** Counts the task, as it is, among those in memory, or takes it out of the count. */
    static void count(Task task, int sign) {
        if (task.present) {
            task.queue.live += sign;
            task.queue.liveDelayed += task.isDelayed() ? sign : 0;
        }
    }

    /** Forgets a task that was enqueued and dequeued before any round took it. It never touches the rows. */
    private void forgetUnstored(Task task) {
        dirty.forget(task);
        residency.remove(task);
    }

    /** Starts a new generation: everything known of the old one is dropped at once, whatever its size. */
    private void restart(QueueState queue, long generation) {
        times.forget(queue);
        dirty.dropped(queue);
        residency.dropped(queue);
        queue.restart(generation);
    }

    // ---------------------------------------------------------------- indexes

    private void unindex(Task task) {
        if (task.isReady()) {
            task.queue.withdraw(task);
        }
        if (task.counted) {
            task.queue.fired(task.isDelayed(), -1);
            task.counted = false;
            due.remove(task);
        } else if (task.isTimed()) {
            times.remove(task);
        }
    }

    void index(Task task) {
        if (task.isTimed()) {
            times.add(task);
        } else if (task.present) {
            task.queue.addReady(task);
        }
    }

    /** Indexes a task whose instant has passed and is counted. */
    void fired(Task task) {
        task.counted = true;
        if (task.isDelayed()) {
            due.add(task);
        } else {
            task.queue.addReady(task);
        }
    }

    // ---------------------------------------------------------------- time

    /**
     * Lets time pass. Expired leases are counted, and their tasks become leasable. Delays that are over are counted,
     * and their tasks are {@link #due} to be moved.
     *
     * @return false if the stored time index has to be read first: see {@link TimeHints#due} and
     *     {@link TimeHints#loadFrom}
     */
    public boolean advance(long nowMillis) {
        for (Task task = times.fireNext(nowMillis); task != null; task = times.fireNext(nowMillis)) {
            queues.changing(task.queue);
            task.queue.fired(task.isDelayed(), 1);
            fired(task);
            if (task.isLeased()) {
                task.queue.rates.expired();
                task.queue.family.expired();
                expiredQueues.add(task.queue);
            }
            queues.changed(task.queue);
            // Last, since it may evict the task.
            residency.settle(task);
        }
        due.dropDead();
        return times.advancedTo(nowMillis);
    }

    /**
     * Returns whether all that expires by now is counted, so that {@link #advance} would return true and do nothing.
     */
    public boolean isOnTime(long nowMillis) {
        return times.isAt(nowMillis);
    }

    /**
     * Returns the instant at which the next lease expires or the next delay ends, as far as known;
     * {@link Long#MAX_VALUE} if there is none.
     */
    public long nextInstantMillis() {
        return times.nextMillis();
    }

    /** Returns the queues in which leases have expired since the last call. */
    public List<QueueState> takeExpiredQueues() {
        List<QueueState> result = expiredQueues.isEmpty() ? List.of() : List.copyOf(expiredQueues);
        expiredQueues.clear();
        return result;
    }

    /** The number of delayed tasks that wait to be moved to their places, at most. */
    public int dueCount() {
        return due.size();
    }

    /** Returns some of the delayed tasks whose time has come, in order of time. */
    public List<Task> due(int max) {
        return due.first(max);
    }

    // ---------------------------------------------------------------- results of reads

    /** The results of reads, which they are taken in by. */
    public ReadResults reads() {
        return reads;
    }

    /** The head of the stored time index. */
    public TimeHints hints() {
        return hints;
    }

    // ---------------------------------------------------------------- rounds and memory

    /** Takes everything that is dirty, as of the last atom. One round at a time. */
    public FlushRound takeRound() {
        return dirty.takeRound(lastTicket);
    }

    /**
     * Marks some of a round's tasks as clean. Their checkpoint is durable.
     *
     * @param newestReadId the newest of the reads that have begun
     */
    public void tasksFlushed(List<FlushRound.TaskWrite> tasks, long newestReadId) {
        dirty.flushed(tasks, newestReadId);
    }

    /**
     * Completes some of the records of a round whose tasks are all flushed. Queues of which nothing is left are
     * forgotten, unless they have options.
     */
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

    /** Completes the round: all of its tasks and records are flushed. */
    public void roundCompleted() {
        dirty.roundCompleted();
    }

    /** Returns the number of these queues that were deleted and have rows that are not reaped yet. */
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
            // No entry in memory covers the rows that the deleted tasks left in the stored time index. Reading it again
            // finds them.
            times.reset();
        }
        QueueState queue = queues.get(mark.queue());
        // A record must never be rewritten without an atom behind it that a replay would bring again: if its round is
        // not completed, its cell is not believed. Only the record of an empty queue, which the mark alone has kept,
        // may get lost.
        if (queue != null && queue.total() == 0) {
            dirty.record(queue);
        }
    }

    /** The number of tasks and queues that the next round takes, at most. */
    public int dirtyEntries() {
        return dirty.entries();
    }

    public boolean isDirty() {
        return !dirty.isEmpty();
    }

    /** The memory that is bound until it is flushed, in bytes. */
    public long dirtyBytes() {
        return dirty.bytes();
    }

    /** The memory of all that is known, in bytes, dirty entries included. */
    public long residentBytes() {
        return residency.bytes();
    }

    /** Evicts windows, those of the queues idle longest first. */
    public void evict(long bytes) {
        residency.evict(bytes);
    }

    // ---------------------------------------------------------------- views

    public long lastTicket() {
        return lastTicket;
    }

    /** The number of leases that queues have granted: the demand that windows serve. */
    public long leases() {
        return leases;
    }

    /** The instant up to and including which leases and delays are counted as fired. */
    long firedUntil() {
        return times.firedUntil();
    }

    public Queues queues() {
        return queues;
    }

    public @Nullable QueueState queue(QueueKey key) {
        return queues.get(key);
    }

    /** The dedup window: updates with a request id that were committed lately. */
    public DedupWindow requests() {
        return requests;
    }

    /** Returns whether a scan for more of this queue is useful: more is stored, and the ready tasks run low. */
    public boolean needsRefill(QueueState queue) {
        return !queue.refilling && queue.hasMoreStored() && queue.ready.size() < settings.lowWaterTasks();
    }
}
