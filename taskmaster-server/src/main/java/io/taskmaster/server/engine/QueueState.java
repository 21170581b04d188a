package io.taskmaster.server.engine;

import io.taskmaster.model.Pid;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.flow.Family;
import io.taskmaster.server.engine.flow.Verdict;
import java.util.Collections;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One queue: exact sizes, the known part of its tasks, and soft statistics. Single-threaded: owned by its partition.
 *
 * <p>{@code tasks} holds everything known, also that some task is not there; {@code ready} those of them that may be leased. What is
 * in memory beyond the {@link Window} is there because it is dirty or because a command waits for it.
 */
public final class QueueState {

    final QueueKey key;

    /** The slot of a queue that is empty and that the partition has let go of: another object stands for it if it comes back. */
    static final int NO_SLOT = -1;

    /** The oldest ready task is looked for among so many at the head of the queue. */
    private static final int AGE_SAMPLE = 1000;

    /** A small number that no other queue of the partition has, or {@link #NO_SLOT}. Owned by {@link Queues}. */
    int slot;

    /** To look at; changed by {@link #keep} and {@link #letGo}. Like {@code ready}, it is no tree while it is empty: idle queues are many. */
    NavigableMap<Pid, Task> tasks = Collections.emptyNavigableMap();

    /** To look at; changed by {@link #offer} and {@link #offerNoMore}. */
    NavigableMap<Pid, Task> ready = Collections.emptyNavigableMap();

    /** Of queues that are named alike; another one when they are told apart in another way. Owned by {@link Queues}. */
    Family family;

    final Window window = new Window();
    final Rates rates;

    /** The tasks in memory that wait for an instant, in order of time; null if there are none. Owned by {@link TimeIndex}. */
    @Nullable
    TreeSet<Task> timed;

    /** The instant of the first of them; {@link Long#MAX_VALUE} if there is none. */
    long nextFiresMillis = Long.MAX_VALUE;

    long generation;
    QueueOptions options = QueueOptions.NONE;
    long available;
    long leased;
    long delayed;
    FifoPid maxFifo = FifoPid.NONE;

    /** How many of the leased tasks have a lease that ran out, in memory or not, as of the time index's last advance. */
    int expired;

    /** How many of the delayed tasks have their time come, likewise. They are about to be moved to their places. */
    int due;

    /** How many of the tasks that the sizes count are in memory. */
    int live;

    /** Of these, the delayed ones. */
    int liveDelayed;

    /** Memory of the tasks that are known. */
    long residentBytes;

    /** Of these, what is bound until it is flushed. */
    long dirtyBytes;

    /** Its record has changed since a round took it. */
    boolean recordDirty;

    /** Whether its record may be stored. */
    boolean recordStored;

    /** See {@link #oldestReadyMillis}; null if nobody has asked yet. */
    private @Nullable Waiting waiting;

    /** Where to say that something happened here. */
    private final Standings standings;

    /** Something happened here since somebody looked. Owned by {@link Standings}. */
    boolean isMarked;

    /** Tasks wait here and none is leased, as of the last look; null: that is not so. Owned by {@link Vigil}. */
    @Nullable
    Unattended unattended;

    /** For how long a task was leased when one was the last time; 0: nobody knows. */
    long leaseMillis;

    /** A scan for the window is under way. */
    boolean refilling;

    QueueState(QueueKey key, Family family, Rates rates, Standings standings, long generation, int slot) {
        this.key = key;
        this.family = family;
        this.rates = rates;
        this.standings = standings;
        this.slot = slot;
        this.generation = generation;
    }

    public QueueKey key() {
        return key;
    }

    public long generation() {
        return generation;
    }

    /** Tasks that may be leased where they are: available ones, and those under an expired lease. */
    public long leasable() {
        return available + expired;
    }

    /**
     * How many more leases it may have.
     *
     * @param cap of the request; 0: none
     */
    long leasesLeft(long cap) {
        if (options.paused()) {
            return 0;
        }
        long own = options.maxLeased();
        long limit = own == 0 || (cap != 0 && cap < own) ? cap : own;
        return limit == 0 ? Long.MAX_VALUE : limit - leasedNow();
    }

    /** Whether a lease may get something from it, as far as that can be told without looking further. */
    public boolean mayServe(Command.Lease lease) {
        return leasable() > 0
                && leasesLeft(lease.maxLeasedPerQueue()) > 0
                && (lease.maxPid().isEmpty()
                        || hasMoreStored()
                        || (!ready.isEmpty()
                                && ready.firstKey().compareTo(lease.maxPid().get()) <= 0));
    }

    /** Available tasks with time counted: those under an expired lease and those that are not delayed any more included. */
    public long availableNow() {
        return leasable() + due;
    }

    /** Tasks under a lease that runs. */
    public long leasedNow() {
        return leased - expired;
    }

    public long total() {
        return available + leased + delayed;
    }

    /** Whether who looks for queues is shown it: it holds tasks, or was told something. */
    boolean isShown() {
        return total() > 0 || !options.equals(QueueOptions.NONE);
    }

    Sizes sizes() {
        return new Sizes(available, leased, delayed);
    }

    void sizes(Sizes sizes) {
        family.resize(sizes.available() - available, sizes.leased() - leased, sizes.delayed() - delayed);
        available = sizes.available();
        leased = sizes.leased();
        delayed = sizes.delayed();
    }

    Reply.Summary summary() {
        return new Reply.Summary(key, availableNow(), leasedNow(), delayed - due);
    }

    /**
     * The time of some of its tasks has come: their delays are over, or their leases.
     *
     * @param more how many; negative: it does not count for so many any more
     */
    void fired(boolean isDelay, int more) {
        if (!isForgotten()) {
            standings.mark(this);
        }
        if (isDelay) {
            due += more;
            family.resize(more, 0, -more);
        } else {
            expired += more;
            family.resize(more, -more, 0);
        }
    }

    /** Tasks were leased, for so long. */
    void leased(long millis) {
        leaseMillis = millis;
        family.leased(millis);
    }

    /** Whether somebody ever leased from it or, as far as names say, from its like. What was leased before the partition was opened shows in attempts of the task at its head. */
    boolean wasWorkedOn() {
        return leaseMillis > 0
                || rates.leases() > 0
                || family.wasWorkedOn()
                || (!ready.isEmpty() && ready.firstEntry().getValue().attempt > 0);
    }

    /** The verdict on it, as of the last look. */
    Verdict verdict() {
        return unattended == null ? Verdict.FINE : unattended.verdict;
    }

    /** An atom has done this to its tasks. */
    void count(Deeds deeds, long nowMillis) {
        rates.count(deeds, nowMillis);
        standings.mark(this);
    }

    /** Its family, which is another one than before, holds what it does. */
    void countIn() {
        family.resize(availableNow(), leasedNow(), delayed - due);
    }

    /** Its family holds it no more. */
    void countOut() {
        family.resize(-availableNow(), -leasedNow(), due - delayed);
    }

    /** Whether memory says for sure if there is a task with this PID. */
    boolean knows(Pid pid) {
        return tasks.containsKey(pid) || (knowsInPlace(pid) && knowsDelayed());
    }

    /** Whether it says so of tasks that are not delayed. */
    private boolean knowsInPlace(Pid pid) {
        return window.knows(pid) || live - liveDelayed == available + leased;
    }

    /** Whether there may be a row with this PID among those of tasks that may be leased or are. */
    public boolean mayBeInPlace(Pid pid) {
        Task task = present(pid);
        return task == null ? !knowsInPlace(pid) : !task.isDelayed();
    }

    /** Whether there may be one among those of delayed tasks. */
    public boolean mayBeDelayed(Pid pid) {
        Task task = present(pid);
        return task == null ? !knowsDelayed() : task.isDelayed();
    }

    /** Whether every delayed task is in memory. */
    public boolean knowsDelayed() {
        return liveDelayed == delayed;
    }

    /** The task with this PID, if it is known to be there. */
    @Nullable
    Task present(Pid pid) {
        Task task = tasks.get(pid);
        return task != null && task.present ? task : null;
    }

    /** The first task to lease behind another one: one that the window covers, or any if all that may be leased is in memory. */
    @Nullable
    Task nextReady(@Nullable Task after) {
        var entry = after == null ? ready.firstEntry() : ready.higherEntry(after.pid);
        return entry != null && (window.covers(entry.getKey()) || ready.size() == leasable()) ? entry.getValue() : null;
    }

    /** Whether there are tasks to lease that a scan would have to bring. */
    boolean hasMoreStored() {
        return !window.isComplete() && leasable() > ready.size();
    }

    void keep(Task task) {
        if (tasks.isEmpty()) {
            tasks = new TreeMap<>();
        }
        tasks.put(task.pid, task);
    }

    void letGo(Task task) {
        if (!tasks.isEmpty()) {
            tasks.remove(task.pid);
        }
        if (tasks.isEmpty()) {
            tasks = Collections.emptyNavigableMap();
        }
    }

    /** The task may be leased. */
    void offer(Task task) {
        if (ready.isEmpty()) {
            ready = new TreeMap<>();
            standings.mark(this);
        }
        ready.put(task.pid, task);
        offersOther();
    }

    /** The task, which was offered, may not be leased any more. */
    void offerNoMore(Task task) {
        ready.remove(task.pid);
        offersOther();
        if (ready.isEmpty()) {
            ready = Collections.emptyNavigableMap();
        }
    }

    /** Which tasks may be leased has changed, or when they came is known. Whoever looks next has to look here, unless nobody has looked since the last such change. */
    void offersOther() {
        if (waiting != null && waiting.oldest != null) {
            waiting.oldest = null;
            standings.mark(this);
        }
    }

    /** When the oldest of the tasks at the head that may be leased was enqueued, as far as known; {@link Long#MAX_VALUE}: there is none. */
    long oldestReadyMillis() {
        if (ready.isEmpty()) {
            return Long.MAX_VALUE;
        }
        if (waiting == null) {
            waiting = new Waiting();
        }
        if (waiting.oldest == null) {
            waiting.oldest = lookForOldestReady();
        }
        return waiting.oldest.enqueuedMillis;
    }

    /** What is known of that; null if nobody has asked yet. */
    @Nullable
    Waiting waiting() {
        return waiting;
    }

    /** How many tasks {@link #oldestReadyMillis} has to look at. */
    int unseenForOldest() {
        return waiting == null || waiting.oldest == null ? Math.min(ready.size(), AGE_SAMPLE) : 0;
    }

    private Task lookForOldestReady() {
        Task oldest = ready.firstEntry().getValue();
        int looked = 0;
        for (Task task : ready.values()) {
            if (task.enqueuedMillis < oldest.enqueuedMillis) {
                oldest = task;
            }
            if (++looked == AGE_SAMPLE) {
                break;
            }
        }
        return oldest;
    }

    /** How long ago that was; empty if it is {@link Long#MAX_VALUE}. */
    static Optional<Long> age(long oldestMillis, long nowMillis) {
        return oldestMillis == Long.MAX_VALUE ? Optional.empty() : Optional.of(Math.max(0, nowMillis - oldestMillis));
    }

    /** All tasks are gone with their generation. */
    void restart(long newGeneration) {
        generation = newGeneration;
        tasks = Collections.emptyNavigableMap();
        ready = Collections.emptyNavigableMap();
        offersOther();
        fired(false, -expired);
        fired(true, -due);
        live = 0;
        liveDelayed = 0;
        window.unknownFrom(Pid.EMPTY);
        window.completed();
    }

    /** The first of the tasks in memory, delayed ones aside. */
    @Nullable
    Pid firstInPlace() {
        for (Task task : tasks.values()) {
            if (task.present && !task.isDelayed()) {
                return task.pid;
            }
        }
        return null;
    }

    /** Where a scan from a PID on begins: below the low-water mark there are only the remains of what is gone, delayed tasks aside. */
    public Pid firstStored(Pid from) {
        return from.compareTo(window.lowWater()) < 0 ? window.lowWater() : from;
    }

    /** Where the scan for the window goes on; not to be asked if the window reaches to the end. */
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

    /** How fast tasks are leased, for the size of a scan. */
    public double leasesPerSecond(long nowMillis) {
        return rates.leasesPerSecond(nowMillis);
    }

    /** If all that is counted is in memory, delayed tasks aside, the window reaches to the end, whatever scans have said. */
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
