package io.taskmaster.server.engine.state;

import io.taskmaster.command.Command;
import io.taskmaster.command.FifoPid;
import io.taskmaster.command.QueueOptions;
import io.taskmaster.command.Reply;
import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.command.Sizes;
import io.taskmaster.server.engine.flow.Family;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The state of one queue: exact sizes, the known part of its tasks, and soft statistics. Single-threaded: owned by the
 * partition's loop.
 *
 * <p>{@code tasks} holds everything that is known, also that there is no task with some PID. {@code ready} holds those
 * of them that may be leased. An entry that lies beyond the {@link Window} is there because it is dirty or because a
 * command waits for it.
 *
 * <p>Sizes: {@code available}, {@code leased} and {@code delayed} are those of the last atom. Time moves tasks between
 * them without an atom ({@code docs/adr/0003-expiry-is-counted-not-written.md}): {@code expired} of the leased tasks
 * may be leased again, {@code due} of the delayed ones wait to be moved. So the sizes that clients see are
 * {@link #availableNow}, {@link #leasedNow} and {@code delayed - due}.
 *
 * <p>A task of the queue passes through these states:
 *
 * <pre>{@code
 * state            | event                                | next state           | counts
 * ---------------- | ------------------------------------ | -------------------- | -----------------------------
 * absent           | Put                                  | available or delayed | available + 1 or delayed + 1
 * available        | Lease                                | leased               | available - 1, leased + 1
 * available        | Put (replace, rerun)                 | available or delayed | the old one - 1, the new + 1
 * leased           | Lease (renewal), Remember            | leased               | -
 * leased           | the lease runs out (time)            | expired              | expired + 1
 * expired          | Lease                                | leased               | expired - 1
 * leased, expired  | Free                                 | available            | leased - 1, available + 1
 * leased, expired  | Move with a not-before time          | delayed              | leased - 1, delayed + 1
 * leased, expired  | Put (the rerun, or a replacement)    | available or delayed | leased - 1, the new one + 1
 * delayed          | Put (replace, rerun)                 | available or delayed | the old one - 1, the new + 1
 * delayed          | the not-before time passes (time)    | due                  | due + 1
 * due              | Move without a not-before time       | available            | delayed - 1, due - 1, available + 1
 * any              | Remove                               | absent               | those of the state - 1
 * any              | new generation                       | absent               | all 0
 * }</pre>
 *
 * <p>An event that leaves {@code expired} or {@code due} also takes the task out of that count.
 *
 * <p>Invariants: {@code live} counts the present tasks in memory, so {@code live - liveDelayed == available + leased}
 * means that every task that is not delayed is known, and {@code liveDelayed == delayed} that every delayed one is.
 * {@code ready.size() <= leasable()}; equality means that every leasable task is in memory. A task that could be leased
 * and lies below the window's first missing PID is in {@code ready} ({@code docs/adr/0002-three-bounds-of-a-window.md};
 * paper section 5.4).
 */
public final class QueueState extends QueueCounts {

    final QueueKey key;

    /**
     * The slot of a queue that is empty and that the partition has forgotten. Another object represents it if it comes
     * back.
     */
    static final int NO_SLOT = -1;

    /** The oldest ready task is searched for among this many at the head of the queue. */
    private static final int AGE_SAMPLE = 1000;

    /**
     * A small number that is unique among the queues of the partition, or {@link #NO_SLOT}. Owned by {@link Queues}.
     */
    int slot;

    /**
     * Everything known of tasks by PID. Read-only for others; changed by {@link #keep} and {@link #remove}. Like
     * {@code ready}, it is no tree while it is empty, since idle queues are many.
     */
    NavigableMap<Pid, Task> tasks = Collections.emptyNavigableMap();

    /** The tasks that may be leased. Read-only for others; changed by {@link #addReady} and {@link #withdraw}. */
    NavigableMap<Pid, Task> ready = Collections.emptyNavigableMap();

    /**
     * The family of queues with like names. It is replaced when families are cut in another way. Owned by
     * {@link Queues}.
     */
    Family family;

    final Window window = new Window();
    final Rates rates;

    /**
     * The tasks in memory that wait for an instant, in order of time; null if there are none. Owned by
     * {@link TimeIndex}.
     */
    @Nullable
    TreeSet<Task> timed;

    /** The instant of the first of them; {@link Long#MAX_VALUE} if there is none. */
    long nextFiresMillis = Long.MAX_VALUE;

    long generation;
    QueueOptions options = QueueOptions.NONE;
    FifoPid maxFifo = FifoPid.NONE;

    /** The memory of the known tasks, in bytes. */
    long residentBytes;

    /** The part of it that is bound until it is flushed, in bytes. */
    long dirtyBytes;

    /** Set if its record has changed since a round took it. */
    boolean recordDirty;

    /** Set if its record may be stored. */
    boolean recordStored;

    /** The cached value of {@link #oldestReadyMillis}; null: it has to be searched for. */
    private @Nullable Task oldestReady;

    private final QueueObserver observer;

    /** The duration of the last lease in milliseconds; 0: unknown. */
    long leaseMillis;

    /** Set while a scan for the window is in flight. */
    boolean refilling;

    QueueState(QueueKey key, Family family, Rates rates, QueueObserver observer, long generation, int slot) {
        this.key = key;
        this.family = family;
        this.rates = rates;
        this.observer = observer;
        this.slot = slot;
        this.generation = generation;
    }

    public QueueKey key() {
        return key;
    }

    public long generation() {
        return generation;
    }

    public int slot() {
        return slot;
    }

    public Family family() {
        return family;
    }

    public QueueOptions options() {
        return options;
    }

    public Rates rates() {
        return rates;
    }

    public Window window() {
        return window;
    }

    public FifoPid maxFifo() {
        return maxFifo;
    }

    /** The duration of the last lease in milliseconds; 0: unknown. */
    public long leaseMillis() {
        return leaseMillis;
    }

    /** Returns whether anything is known of a task, if only that it is not there. */
    public boolean isKnown(Pid pid) {
        return tasks.containsKey(pid);
    }

    /** Returns everything known of tasks from a PID on, in order. A view. */
    public Collection<Task> tasksFrom(Pid pid) {
        return Collections.unmodifiableCollection(tasks.tailMap(pid, true).values());
    }

    /** The tasks in memory that wait for an instant, in order of time. A view. */
    public Collection<Task> timedTasks() {
        return timed == null ? List.of() : Collections.unmodifiableCollection(timed);
    }

    /**
     * Returns the number of further leases that it may have.
     *
     * @param cap the cap of the request; 0: none
     */
    public long remainingLeases(long cap) {
        if (options.paused()) {
            return 0;
        }
        long own = options.maxLeased();
        long limit = own == 0 || (cap != 0 && cap < own) ? cap : own;
        return limit == 0 ? Long.MAX_VALUE : limit - leasedNow();
    }

    /** Returns whether a lease may get something from it, as far as that can be decided without a read. */
    public boolean mayServe(Command.Lease lease) {
        return leasable() > 0
                && remainingLeases(lease.maxLeasedPerQueue()) > 0
                && (lease.maxPid().isEmpty()
                        || hasMoreStored()
                        || (!ready.isEmpty()
                                && ready.firstKey().compareTo(lease.maxPid().get()) <= 0));
    }

    /** Returns whether listings show it: it holds tasks or has options. */
    public boolean isShown() {
        return total() > 0 || !options.equals(QueueOptions.NONE);
    }

    void sizes(Sizes sizes) {
        family.resize(sizes.available() - available, sizes.leased() - leased, sizes.delayed() - delayed);
        available = sizes.available();
        leased = sizes.leased();
        delayed = sizes.delayed();
    }

    public Reply.Summary summary() {
        return new Reply.Summary(key, availableNow(), leasedNow(), delayedNow());
    }

    /**
     * Counts tasks whose instant has passed: their delays or their leases are over.
     *
     * @param more how many; negative: takes them out of the count
     */
    void fired(boolean isDelay, int more) {
        // Observers know queues by their slots, and a forgotten one has none.
        if (!isForgotten()) {
            observer.active(this);
        }
        if (isDelay) {
            due += more;
            family.resize(more, 0, -more);
        } else {
            expired += more;
            family.resize(more, -more, 0);
        }
    }

    /** Notes that tasks were leased, for this duration. */
    void leased(long millis) {
        leaseMillis = millis;
        family.leased(millis);
    }

    /**
     * Returns whether it, or a queue of its family, was ever leased from. Leases from before the partition was opened
     * show in the attempts of the task at its head.
     */
    public boolean wasWorkedOn() {
        return leaseMillis > 0
                || rates.leases() > 0
                || family.wasWorkedOn()
                || (!ready.isEmpty() && ready.firstEntry().getValue().attempt > 0);
    }

    /** Counts what an atom has done to its tasks. */
    void count(TaskCounts taskCounts, long nowMillis) {
        rates.count(taskCounts, nowMillis);
        observer.active(this);
    }

    /** Adds its sizes to a family that it has just joined. */
    void countIn() {
        family.resize(availableNow(), leasedNow(), delayedNow());
    }

    /** Takes its sizes out of the family that it leaves. */
    void countOut() {
        family.resize(-availableNow(), -leasedNow(), due - delayed);
    }

    /** Returns whether memory knows for sure if there is a task with this PID. */
    public boolean knows(Pid pid) {
        return tasks.containsKey(pid) || (knowsInPlace(pid) && knowsDelayed());
    }

    /** Returns the same for tasks that are not delayed. */
    private boolean knowsInPlace(Pid pid) {
        return window.knows(pid) || live - liveDelayed == available + leased;
    }

    /** Returns whether there may be a row with this PID among those of tasks that are not delayed. */
    public boolean mayBeInPlace(Pid pid) {
        Task task = present(pid);
        return task == null ? !knowsInPlace(pid) : !task.isDelayed();
    }

    /** Returns whether there may be a row with this PID among those of delayed tasks. */
    public boolean mayBeDelayed(Pid pid) {
        Task task = present(pid);
        return task == null ? !knowsDelayed() : task.isDelayed();
    }

    /** Returns the task with this PID if it is known to be there. */
    @Nullable
    public Task present(Pid pid) {
        Task task = tasks.get(pid);
        return task != null && task.present ? task : null;
    }

    /**
     * Returns the first leasable task behind another one: one that the window covers, or any if all leasable tasks are
     * in memory.
     */
    @Nullable
    public Task nextReady(@Nullable Task after) {
        var entry = after == null ? ready.firstEntry() : ready.higherEntry(after.pid);
        // In front of a task beyond the window there may be others that are not in memory, unless all leasable ones
        // are.
        return entry != null && (window.covers(entry.getKey()) || ready.size() == leasable()) ? entry.getValue() : null;
    }

    /** Returns whether there are leasable tasks that only a scan can bring into memory. */
    public boolean hasMoreStored() {
        return !window.isComplete() && leasable() > ready.size();
    }

    void keep(Task task) {
        if (tasks.isEmpty()) {
            tasks = new TreeMap<>();
        }
        tasks.put(task.pid, task);
    }

    void remove(Task task) {
        if (!tasks.isEmpty()) {
            tasks.remove(task.pid);
        }
        if (tasks.isEmpty()) {
            tasks = Collections.emptyNavigableMap();
        }
    }

    /** Adds a task that may be leased. */
    void addReady(Task task) {
        if (ready.isEmpty()) {
            ready = new TreeMap<>();
            observer.active(this);
        }
        ready.put(task.pid, task);
        oldestReadyChanged();
    }

    /** Takes out a task that may not be leased any more. */
    void withdraw(Task task) {
        ready.remove(task.pid);
        oldestReadyChanged();
        if (ready.isEmpty()) {
            ready = Collections.emptyNavigableMap();
        }
    }

    /**
     * Drops the cached age of the oldest ready task: the set of ready tasks has changed, or the time at which one came
     * has become known. It marks the queue for a look, unless there was none since the last such change.
     */
    void oldestReadyChanged() {
        if (oldestReady != null) {
            oldestReady = null;
            observer.active(this);
        }
    }

    /**
     * Returns the time at which the oldest of the ready tasks at the head was enqueued, as far as known;
     * {@link Long#MAX_VALUE} if there is none.
     */
    public long oldestReadyMillis() {
        if (ready.isEmpty()) {
            return Long.MAX_VALUE;
        }
        if (oldestReady == null) {
            oldestReady = findOldestReady();
        }
        return oldestReady.enqueuedMillis;
    }

    /** The number of tasks that {@link #oldestReadyMillis} has to look at. */
    public int unseenForOldest() {
        return oldestReady == null ? Math.min(ready.size(), AGE_SAMPLE) : 0;
    }

    private Task findOldestReady() {
        Task oldest = ready.firstEntry().getValue();
        int examined = 0;
        for (Task task : ready.values()) {
            if (task.enqueuedMillis < oldest.enqueuedMillis) {
                oldest = task;
            }
            if (++examined == AGE_SAMPLE) {
                break;
            }
        }
        return oldest;
    }

    /** Returns the age of that task; empty if the time is {@link Long#MAX_VALUE}. */
    public static Optional<Long> age(long oldestMillis, long nowMillis) {
        return oldestMillis == Long.MAX_VALUE ? Optional.empty() : Optional.of(Math.max(0, nowMillis - oldestMillis));
    }

    /** Drops all tasks together with their generation. */
    void restart(long newGeneration) {
        generation = newGeneration;
        tasks = Collections.emptyNavigableMap();
        ready = Collections.emptyNavigableMap();
        oldestReadyChanged();
        fired(false, -expired);
        fired(true, -due);
        live = 0;
        liveDelayed = 0;
        // The first resets the low-water mark; the second says that the queue, now empty, is known as a whole.
        window.unknownFrom(Pid.EMPTY);
        window.completed();
    }

    /** Returns the first of the tasks in memory that are not delayed. */
    @Nullable
    Pid firstInPlace() {
        for (Task task : tasks.values()) {
            if (task.present && !task.isDelayed()) {
                return task.pid;
            }
        }
        return null;
    }

    /**
     * Returns the PID at which a scan from a PID on begins. Below the low-water mark there are only remains of removed
     * tasks and, in their own place, delayed tasks.
     */
    public Pid firstStored(Pid from) {
        return from.compareTo(window.lowWater()) < 0 ? window.lowWater() : from;
    }

    /** Returns the PID at which the scan for the window goes on. Not to be called if the window reaches to the end. */
    public Pid refillFrom() {
        return window.scanFrom();
    }

    public boolean isRefilling() {
        return refilling;
    }

    public void refilling(boolean now) {
        refilling = now;
    }

    public boolean isForgotten() {
        return slot == NO_SLOT;
    }

    /** The rate of leases, for the size of a scan. */
    public double leasesPerSecond(long nowMillis) {
        return rates.leasesPerSecond(nowMillis);
    }

    /** Completes the window if all tasks that are not delayed are in memory, whatever scans have found. */
    void noticeCompleteness() {
        if (live - liveDelayed == available + leased && !window.isComplete()) {
            window.completed();
        }
    }

    @Override
    public String toString() {
        return key + " generation " + generation + ", " + sizes();
    }
}
