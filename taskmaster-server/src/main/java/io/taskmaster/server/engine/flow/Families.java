package io.taskmaster.server.engine.flow;

import io.taskmaster.model.FamilyName;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The families of a partition's queues, and the flow of tasks from one to another
 * ({@code docs/adr/0017-families-and-verdicts.md}). The dequeues and enqueues of an update are known together, so the
 * flow is known without a declaration by the client, and without a look at any queue. Counts are soft: lost when the
 * partition is opened anew. Single-threaded: owned by the partition's loop.
 */
public final class Families {

    /** The number of groups with families of their own. Queues of all others are named as if they were in one group. */
    static final int MAX_GROUPS = 64;

    /** The number of families. Queues beyond that belong to {@code others}. */
    static final int MAX_FAMILIES = 512;

    private final Map<GroupName, Naming> namings = new HashMap<>();
    private final Naming elsewhere = new Naming(Optional.empty());
    private final Map<FamilyName, Family> families = new LinkedHashMap<>();
    private final Family others = new Family(FamilyName.OTHERS);

    /** The families that the update in progress has dequeued from or enqueued to. */
    private final List<Family> touched = new ArrayList<>();

    /** A queue into which the update in progress has enqueued. */
    private @Nullable QueueKey lastEnqueued;

    /** A queue from which the update in progress has dequeued. */
    private @Nullable QueueKey lastDequeued;

    private final Optional<FamilyPattern> pattern;

    /** Set if there may be families without queues that take up space. */
    private boolean needsCleanup;

    /**
     * Makes an empty set of families.
     *
     * @param pattern the families that the operator has named
     */
    public Families(Optional<FamilyPattern> pattern) {
        this.pattern = pattern;
    }

    /**
     * Adds the name of a queue.
     *
     * @return whether families are cut in another way from now on. Each queue has to join its family again, until they
     *     are {@link #reassigned}
     */
    public boolean add(QueueKey key) {
        boolean changed = namingOf(key.group()).add(key.name());
        needsCleanup |= changed;
        return changed;
    }

    /**
     * Reconsiders the cuts in the light of hand-offs.
     *
     * @return whether families are cut in another way from now on, as for {@link #add}
     */
    public boolean reconsider() {
        boolean changed = false;
        for (Naming naming : namings.values()) {
            changed |= naming.reconsider();
        }
        needsCleanup |= changed;
        return changed;
    }

    /** Notes that each queue has joined its family again. */
    public void reassigned() {
        // Families of an update in progress have yet to account for their hand-offs.
        if (needsCleanup && touched.isEmpty()) {
            needsCleanup = false;
            cleanUp();
        }
    }

    private Naming namingOf(GroupName group) {
        Naming naming = namings.get(group);
        if (naming == null && namings.size() < MAX_GROUPS) {
            naming = new Naming(Optional.of(group));
            namings.put(group, naming);
        }
        return naming == null ? elsewhere : naming;
    }

    /** Returns the family that a queue joins. The queue's name was added before. */
    public Family join(QueueKey key) {
        Family family = familyOf(key);
        family.addQueue();
        return family;
    }

    private Family familyOf(QueueKey key) {
        Naming naming = namingOf(key.group());
        FamilyName name = pattern.flatMap(rule -> rule.familyOf(naming.group(), key.name()))
                .orElseGet(() -> naming.familyOf(key.name()));
        Family family = families.get(name);
        if (family != null) {
            return family;
        }
        if (families.size() == MAX_FAMILIES) {
            // A family without queues may give up its place when the update ends.
            needsCleanup = true;
            return others;
        }
        family = new Family(name);
        families.put(name, family);
        return family;
    }

    /** Counts the changes of an update to the tasks of a queue. Others may follow before it {@link #endAtom}. */
    public void changed(Family family, QueueKey queue, int enqueued, int leases, int dequeued) {
        if (enqueued > 0 || dequeued > 0) {
            if (!family.isTouched()) {
                touched.add(family);
            }
            family.touch(enqueued, dequeued);
            lastEnqueued = enqueued > 0 ? queue : lastEnqueued;
            lastDequeued = dequeued > 0 ? queue : lastDequeued;
        }
        family.count(enqueued, leases, dequeued);
    }

    /**
     * Ends the update. The tasks that it enqueued are attributed to the families that it dequeued from, in proportion
     * to the tasks that each gave.
     */
    public void endAtom() {
        if (!touched.isEmpty()) {
            recordFlow();
        }
        if (needsCleanup) {
            needsCleanup = false;
            cleanUp();
        }
    }

    private void recordFlow() {
        long enqueued = 0;
        long dequeued = 0;
        for (int i = 0; i < touched.size(); i++) {
            enqueued += touched.get(i).enqueuedInAtom();
            dequeued += touched.get(i).dequeuedInAtom();
        }
        if (dequeued > 0) {
            recordFlow(enqueued, dequeued);
        }
        sampleHandOff();
        for (int i = touched.size() - 1; i >= 0; i--) {
            // From the end, so that no element has to move.
            touched.remove(i).untouch();
        }
    }

    /** Adds one hand-off of the update to the sample, whatever the number of queues that gave or took. */
    private void sampleHandOff() {
        if (lastEnqueued != null && lastDequeued != null && lastEnqueued.group().equals(lastDequeued.group())) {
            Naming naming = namings.get(lastEnqueued.group());
            if (naming != null) {
                naming.recordHandOff(lastDequeued.name(), lastEnqueued.name());
            }
        }
        lastEnqueued = null;
        lastDequeued = null;
    }

    private void recordFlow(long enqueued, long dequeued) {
        for (int i = 0; i < touched.size(); i++) {
            Family from = touched.get(i);
            if (enqueued == 0) {
                from.ended(from.dequeuedInAtom());
            } else if (from.dequeuedInAtom() > 0) {
                distribute(from, (double) from.dequeuedInAtom() / dequeued);
            }
        }
    }

    private void distribute(Family from, double share) {
        for (int i = 0; i < touched.size(); i++) {
            Family to = touched.get(i);
            if (to.enqueuedInAtom() > 0) {
                from.addHandOffs(to, to.enqueuedInAtom() * share);
            }
        }
    }

    /** Removes families without queues. Their counts go to {@code others}. */
    private void cleanUp() {
        List<Family> empty = families.values().stream().filter(Family::isEmpty).toList();
        for (Family family : empty) {
            families.remove(family.name());
            others.inherit(family);
        }
        // After all counts were inherited: what one removed family had passed to another is among those of others now.
        others.redirect(empty, others);
        families.values().forEach(family -> family.redirect(empty, others));
    }

    /** Returns the present state of the flow. */
    public FlowSnapshot snapshot() {
        List<FlowSnapshot.Node> nodes = new ArrayList<>(families.size() + 1);
        List<FlowSnapshot.Edge> edges = new ArrayList<>();
        families.values().forEach(family -> family.describe(nodes, edges));
        if (!others.isIdle()) {
            others.describe(nodes, edges);
        }
        return new FlowSnapshot(nodes, edges);
    }
}
