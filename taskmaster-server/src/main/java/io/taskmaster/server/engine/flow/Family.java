package io.taskmaster.server.engine.flow;

import io.taskmaster.command.Verdict;
import io.taskmaster.model.FamilyName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A family of queues with like names: what they hold, what happened to their tasks since the partition was opened, and
 * the families to which these were handed off. Single-threaded: owned by its {@link Families}.
 */
public final class Family {

    private final FamilyName name;
    private long queues;
    private long available;
    private long leased;
    private long delayed;

    private long enqueued;
    private long leases;
    private long dequeued;
    private long expired;

    /** The duration of the last lease, in milliseconds. */
    private long leaseMillis;

    private final WaitTallies waits = new WaitTallies();

    /** Tasks that were dequeued by updates that enqueued nothing. */
    private long ended;

    /** Tasks that the update in progress has enqueued here. */
    private int enqueuedInAtom;

    /** Tasks that the update in progress has dequeued here. */
    private int dequeuedInAtom;

    /**
     * Tasks that were enqueued there by updates that dequeued here. Where several families gave, each has a fraction of
     * a task.
     */
    private final IdentityHashMap<Family, HandOffs> handOffs = new IdentityHashMap<>(4);

    /** The target of the last hand-off: often that of the next one, too. */
    private @Nullable Family lastTarget;

    private HandOffs lastHandOffs = new HandOffs();

    /** A mutable counter. */
    private static final class HandOffs {
        private double tasks;
    }

    Family(FamilyName name) {
        this.name = name;
    }

    public FamilyName name() {
        return name;
    }

    void addQueue() {
        queues++;
    }

    /** Notes that a queue is gone, or belongs to another family from now on. */
    public void removeQueue() {
        queues--;
    }

    boolean isEmpty() {
        return queues == 0;
    }

    /** Changes the sizes by those of its queues; negative: they hold less. */
    public void resize(long availableDelta, long leasedDelta, long delayedDelta) {
        available += availableDelta;
        leased += leasedDelta;
        delayed += delayedDelta;
    }

    void count(long enqueuedDelta, long leasesDelta, long dequeuedDelta) {
        enqueued += enqueuedDelta;
        leases += leasesDelta;
        dequeued += dequeuedDelta;
    }

    /** Counts a lease that has expired. */
    public void expired() {
        expired++;
    }

    /** Notes that tasks were leased, for this duration. */
    public void leased(long millis) {
        leaseMillis = millis;
    }

    /** The duration of the last lease in milliseconds; 0: there was none. */
    public long leaseMillis() {
        return leaseMillis;
    }

    /**
     * Returns whether queues of the family were leased from. False for the family of queues that have nothing in
     * common: it says nothing about any of them.
     */
    public boolean wasWorkedOn() {
        return leases > 0
                && !(name.isOpen()
                        && name.head().isEmpty()
                        && (name.tail().isEmpty() || name.tail().equals(QueueName.DEAD_LETTER_ENDING)));
    }

    /** Counts a queue in which tasks wait under its verdict. */
    public void addWait(QueueKey queue, Verdict verdict, long tasks) {
        waits.add(queue, verdict, tasks);
    }

    /** Takes a queue out that was counted under this verdict. */
    public void removeWait(QueueKey queue, Verdict verdict, long tasks) {
        waits.remove(queue, verdict, tasks);
    }

    // The update in progress.

    boolean isTouched() {
        return enqueuedInAtom > 0 || dequeuedInAtom > 0;
    }

    void touch(int enqueuedDelta, int dequeuedDelta) {
        enqueuedInAtom += enqueuedDelta;
        dequeuedInAtom += dequeuedDelta;
    }

    int enqueuedInAtom() {
        return enqueuedInAtom;
    }

    int dequeuedInAtom() {
        return dequeuedInAtom;
    }

    void untouch() {
        enqueuedInAtom = 0;
        dequeuedInAtom = 0;
    }

    void ended(long tasks) {
        ended += tasks;
    }

    void addHandOffs(Family to, double tasks) {
        if (to != lastTarget) {
            lastHandOffs = handOffs.computeIfAbsent(to, _ -> new HandOffs());
            lastTarget = to;
        }
        lastHandOffs.tasks += tasks;
    }

    // The end of families.

    /** Takes over the counts of another family, which is forgotten. */
    void inherit(Family other) {
        enqueued += other.enqueued;
        leases += other.leases;
        dequeued += other.dequeued;
        expired += other.expired;
        ended += other.ended;
        other.handOffs.forEach((to, count) -> addHandOffs(to, count.tasks));
    }

    /** Redirects hand-offs to families that are gone to another family. */
    void redirect(Collection<Family> removed, Family target) {
        // The counter that lastHandOffs holds may be among those removed.
        lastTarget = null;
        for (Family family : removed) {
            HandOffs count = handOffs.remove(family);
            if (count != null) {
                addHandOffs(target, count.tasks);
            }
        }
    }

    /** Returns whether there is nothing to report. */
    boolean isIdle() {
        return queues == 0 && enqueued == 0 && dequeued == 0 && leases == 0 && expired == 0;
    }

    void describe(List<FlowSnapshot.Node> nodes, List<FlowSnapshot.Edge> edges) {
        nodes.add(new FlowSnapshot.Node(
                name, queues, available, leased, delayed, enqueued, leases, dequeued, expired, ended, waits.waits()));
        handOffs.forEach((to, count) -> edges.add(new FlowSnapshot.Edge(name, to.name, count.tasks)));
    }
}
