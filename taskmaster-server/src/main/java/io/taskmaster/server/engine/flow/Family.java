package io.taskmaster.server.engine.flow;

import io.taskmaster.model.FamilyName;
import io.taskmaster.model.QueueKey;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Queues that are named alike: what they hold, what became of their tasks since the partition was opened, and to which families these were handed on.
 * Single-threaded: owned by its {@link Families}.
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

    /** How long the last lease was. */
    private long leaseMillis;

    private final WaitTallies waits = new WaitTallies();

    /** Tasks that were dequeued by updates that enqueued nothing. */
    private long ended;

    /** Of the update in progress: tasks that it has enqueued here. */
    private int given;

    /** Likewise, dequeued. */
    private int taken;

    /** Tasks that were enqueued there by updates that dequeued here. A share of a task, where others gave it, too. */
    private final IdentityHashMap<Family, Passed> passed = new IdentityHashMap<>(4);

    /** Where it handed on to last: often the next one, too. */
    private @Nullable Family lastTo;

    private Passed lastPassed = new Passed();

    /** A number to add to. */
    private static final class Passed {
        private double tasks;
    }

    Family(FamilyName name) {
        this.name = name;
    }

    public FamilyName name() {
        return name;
    }

    void joined() {
        queues++;
    }

    /** A queue is gone, or belongs to another family from now on. */
    public void left() {
        queues--;
    }

    boolean isEmpty() {
        return queues == 0;
    }

    /** Queues of the family hold more by so much, or less. */
    public void resize(long availableMore, long leasedMore, long delayedMore) {
        available += availableMore;
        leased += leasedMore;
        delayed += delayedMore;
    }

    void count(long enqueuedMore, long leasesMore, long dequeuedMore) {
        enqueued += enqueuedMore;
        leases += leasesMore;
        dequeued += dequeuedMore;
    }

    /** A lease ran out. */
    public void expired() {
        expired++;
    }

    /** Tasks were leased, for so long. */
    public void leased(long millis) {
        leaseMillis = millis;
    }

    /** How long the last lease was; 0: there was none. */
    public long leaseMillis() {
        return leaseMillis;
    }

    /** Whether somebody leases from queues like these. No: of queues that have nothing in common nothing is known. */
    public boolean wasWorkedOn() {
        return leases > 0
                && !(name.isOpen()
                        && name.head().isEmpty()
                        && (name.tail().isEmpty() || name.tail().equals(NameParts.DEAD)));
    }

    /** Tasks wait in a queue, and that is its verdict. */
    public void waits(QueueKey queue, Verdict verdict, long tasks) {
        waits.add(queue, verdict, tasks);
    }

    /** That is so no more. */
    public void waitsNoMore(QueueKey queue, Verdict verdict, long tasks) {
        waits.remove(queue, verdict, tasks);
    }

    // The update in progress.

    boolean isTouched() {
        return given > 0 || taken > 0;
    }

    void touch(int enqueuedMore, int dequeuedMore) {
        given += enqueuedMore;
        taken += dequeuedMore;
    }

    int given() {
        return given;
    }

    int taken() {
        return taken;
    }

    void untouch() {
        given = 0;
        taken = 0;
    }

    void ended(long tasks) {
        ended += tasks;
    }

    void passed(Family to, double tasks) {
        if (to != lastTo) {
            lastPassed = passed.computeIfAbsent(to, _ -> new Passed());
            lastTo = to;
        }
        lastPassed.tasks += tasks;
    }

    // Its end.

    /** Another family is forgotten, and what was counted for it is counted here. */
    void inherit(Family other) {
        enqueued += other.enqueued;
        leases += other.leases;
        dequeued += other.dequeued;
        expired += other.expired;
        ended += other.ended;
        other.passed.forEach((to, count) -> passed(to, count.tasks));
    }

    /** What was handed on to families that are gone was handed on to another. */
    void redirect(Collection<Family> gone, Family heir) {
        lastTo = null;
        for (Family family : gone) {
            Passed count = passed.remove(family);
            if (count != null) {
                passed(heir, count.tasks);
            }
        }
    }

    /** Whether there is nothing to tell. */
    boolean isIdle() {
        return queues == 0 && enqueued == 0 && dequeued == 0 && leases == 0 && expired == 0;
    }

    void describe(List<FlowSnapshot.Node> nodes, List<FlowSnapshot.Edge> edges) {
        nodes.add(new FlowSnapshot.Node(
                name, queues, available, leased, delayed, enqueued, leases, dequeued, expired, ended, waits.waits()));
        passed.forEach((to, count) -> edges.add(new FlowSnapshot.Edge(name, to.name, count.tasks)));
    }
}
