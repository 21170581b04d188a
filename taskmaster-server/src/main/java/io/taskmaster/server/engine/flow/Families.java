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
 * The families of a partition's queues, and what goes from one to another. What an update dequeues and what it enqueues are known together, so the flow is known
 * without anybody saying it, and without a look at any queue. Counts are soft: lost when the partition is opened anew. Single-threaded: owned by its partition.
 */
public final class Families {

    /** So many groups have families of their own; queues of all others are named as if they were in one. */
    static final int MAX_GROUPS = 64;

    /** Queues beyond so many families belong to one that is left over. */
    static final int MAX_FAMILIES = 512;

    private final Map<GroupName, Naming> namings = new HashMap<>();
    private final Naming elsewhere = new Naming(Optional.empty());
    private final Map<FamilyName, Family> families = new LinkedHashMap<>();
    private final Family others = new Family(FamilyName.OTHERS);

    /** Families that the update in progress has taken from or given to. */
    private final List<Family> touched = new ArrayList<>();

    /** A queue into which the update in progress has enqueued. */
    private @Nullable QueueKey gave;

    /** Likewise, from which it has dequeued. */
    private @Nullable QueueKey took;

    private final Optional<FamilyPattern> pattern;

    /** There may be families without queues, and they are in the way. */
    private boolean untidy;

    /**
     * None yet.
     *
     * @param pattern which families people have named
     */
    public Families(Optional<FamilyPattern> pattern) {
        this.pattern = pattern;
    }

    /** Learns the name of a queue. True: families are told apart in another way from now on, and each queue has to be told its own again, until they are {@link #settled}. */
    public boolean learn(QueueKey key) {
        boolean anew = namingOf(key.group()).learn(key.name());
        untidy |= anew;
        return anew;
    }

    /** Likewise, whether hand-offs have shown a better way to tell families apart. */
    public boolean reconsider() {
        boolean anew = false;
        for (Naming naming : namings.values()) {
            anew |= naming.reconsider();
        }
        untidy |= anew;
        return anew;
    }

    /** Each queue was told its family again. */
    public void settled() {
        // Families of an update in progress have yet to say what they have handed on.
        if (untidy && touched.isEmpty()) {
            untidy = false;
            tidy();
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

    /** The family that a queue joins, whose name was learned. */
    public Family join(QueueKey key) {
        Family family = familyOf(key);
        family.joined();
        return family;
    }

    private Family familyOf(QueueKey key) {
        Naming naming = namingOf(key.group());
        FamilyName name = pattern.flatMap(told -> told.familyOf(naming.group(), key.name()))
                .orElseGet(() -> naming.familyOf(key.name()));
        Family family = families.get(name);
        if (family != null) {
            return family;
        }
        if (families.size() == MAX_FAMILIES) {
            untidy = true;
            return others;
        }
        family = new Family(name);
        families.put(name, family);
        return family;
    }

    /** An update has changed tasks of a queue; others may follow before it {@link #ends}. */
    public void changed(Family family, QueueKey queue, int enqueued, int leases, int dequeued) {
        if (enqueued > 0 || dequeued > 0) {
            if (!family.isTouched()) {
                touched.add(family);
            }
            family.touch(enqueued, dequeued);
            gave = enqueued > 0 ? queue : gave;
            took = dequeued > 0 ? queue : took;
        }
        family.count(enqueued, leases, dequeued);
    }

    /** All that an update changes was told: what it enqueued came from where it dequeued, in equal shares of each task. */
    public void ends() {
        if (!touched.isEmpty()) {
            passOn();
        }
        if (untidy) {
            untidy = false;
            tidy();
        }
    }

    private void passOn() {
        long enqueued = 0;
        long dequeued = 0;
        for (int i = 0; i < touched.size(); i++) {
            enqueued += touched.get(i).given();
            dequeued += touched.get(i).taken();
        }
        if (dequeued > 0) {
            passOn(enqueued, dequeued);
        }
        remember();
        for (int i = touched.size() - 1; i >= 0; i--) {
            touched.remove(i).untouch();
        }
    }

    /** One hand-off of the update, where several queues gave or took. */
    private void remember() {
        if (gave != null && took != null && gave.group().equals(took.group())) {
            Naming naming = namings.get(gave.group());
            if (naming != null) {
                naming.handedOn(took.name(), gave.name());
            }
        }
        gave = null;
        took = null;
    }

    private void passOn(long enqueued, long dequeued) {
        for (int i = 0; i < touched.size(); i++) {
            Family from = touched.get(i);
            if (enqueued == 0) {
                from.ended(from.taken());
            } else if (from.taken() > 0) {
                pass(from, (double) from.taken() / dequeued);
            }
        }
    }

    private void pass(Family from, double share) {
        for (int i = 0; i < touched.size(); i++) {
            Family to = touched.get(i);
            if (to.given() > 0) {
                from.passed(to, to.given() * share);
            }
        }
    }

    /** Families without queues: what was counted for them is counted for those left over. */
    private void tidy() {
        List<Family> empty = families.values().stream().filter(Family::isEmpty).toList();
        for (Family family : empty) {
            families.remove(family.name());
            others.inherit(family);
        }
        others.redirect(empty, others);
        families.values().forEach(family -> family.redirect(empty, others));
    }

    /** Where things stand. */
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
