package io.taskmaster.server.engine.flow;

import io.taskmaster.model.Bytes;
import io.taskmaster.model.FamilyName;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueName;
import io.taskmaster.server.engine.flow.NameParts.Separators;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The rule by which queues of a group belong to families, derived from their names and hand-offs
 * ({@code docs/adr/0017-families-and-verdicts.md}). Single-threaded.
 *
 * <p>While the group has had few names, each is a family. Beyond that, the names of a family have a part in common, one
 * {@link Cut} of several. The cut is chosen as follows:
 *
 * <ol>
 *   <li>One with a few values, and of these one with as few as possible. A few are two at least, since one value
 *       distinguishes nothing. They are half as many as there are names at most, so that each value stands for two
 *       queues on average. Cuts at strong separators go before all others.
 *   <li>If there is none, one with a single value.
 *   <li>If there is none, one with as few values as possible.
 *   <li>If all have too many, all queues are one family. So there are never more than a few families, whatever the
 *       names.
 * </ol>
 *
 * <p>Numbers of values are compared by powers of two, so that two cuts that grow side by side do not alternate. Of the
 * names only the set of values of each cut is kept, up to a bound. So the choice depends on the set of names only, and
 * not on the order in which they came: it is the same after a restart, with the same queues. Where that leaves a
 * choice, hand-offs overrule it. A cut is better if more than twice as many of the last hand-offs go <em>between</em>
 * its families, for families that hand off to themselves say nothing about a pipeline. Hand-offs change families a few
 * times at most.
 */
final class Naming {

    /** The number of names that may be families of their own. */
    static final int MAX_NAMES = 32;

    /** The number of values of a part by which families may be distinguished. */
    static final int MAX_PARTS = 64;

    /** The number of times that hand-offs may overrule names: each costs a look at every queue. */
    static final int MAX_OVERRIDES = 4;

    /** The factor of hand-offs between families beyond which a cut is better than another one. */
    private static final int IMPROVEMENT_FACTOR = 2;

    private final Optional<GroupName> group;
    private final Values names = new Values(2 * MAX_PARTS);
    private final List<Values> values =
            Cut.ALL.stream().map(_ -> new Values(MAX_PARTS)).toList();
    private final HandOffSample handOffSample = new HandOffSample();

    /** The cut in use; null: none. */
    private @Nullable Cut cut;

    /** The cut that hand-offs have chosen; null: none. */
    private @Nullable Cut override;

    private int overrides;

    private static final List<Separators> SEPARATORS = List.of(Separators.values());

    /** A set of hashes, as long as it is small. */
    private static final class Values {

        private final long[] hashes;
        private int count;

        Values(int max) {
            hashes = new long[max];
        }

        boolean isOverflowed() {
            return count > hashes.length;
        }

        void add(long value) {
            if (isOverflowed()) {
                return;
            }
            for (int i = 0; i < count; i++) {
                if (hashes[i] == value) {
                    return;
                }
            }
            if (count < hashes.length) {
                hashes[count] = value;
            }
            count++;
        }
    }

    Naming(Optional<GroupName> group) {
        this.group = group;
    }

    /** The group of all names; empty: names of several groups. */
    Optional<GroupName> group() {
        return group;
    }

    /**
     * Adds the name of a queue.
     *
     * @return whether names are cut in another way from now on
     */
    boolean add(QueueName name) {
        boolean wasByName = isByName();
        byte[] bytes = name.unsafeArray();
        names.add(NameParts.hash(bytes, 0, bytes.length));
        for (Separators separators : SEPARATORS) {
            addValues(NameParts.of(name, separators), separators);
        }
        return updateCut() || wasByName != isByName();
    }

    /**
     * Adds what the cuts with these separators make of a name.
     *
     * <p>There is one call of {@link Cut#hash} for each kind of separators, and never one with either of two cut names:
     * HotSpot's C2 of JDK 25.0.3 passes null there when it merges two objects that it has not allocated.
     */
    private void addValues(NameParts name, Separators separators) {
        for (int i = 0; i < values.size(); i++) {
            Values distinct = values.get(i);
            Cut candidate = Cut.ALL.get(i);
            if (candidate.separators() == separators && !distinct.isOverflowed()) {
                distinct.add(candidate.hash(name));
            }
        }
    }

    /** Notes that a task went from one queue of the group to another. */
    void recordHandOff(QueueName from, QueueName to) {
        handOffSample.add(from, to);
    }

    /**
     * Reconsiders the cut in the light of hand-offs.
     *
     * @return whether a better one is in use from now on
     */
    boolean reconsider() {
        if (isByName() || overrides == MAX_OVERRIDES || !handOffSample.isFull()) {
            return false;
        }
        // The next time takes a fresh sample: the same hand-offs must not overrule twice.
        handOffSample.clear();
        int best = cut == null ? 0 : IMPROVEMENT_FACTOR * handOffSample.countCrossing(cut);
        Cut better = null;
        for (int i = 0; i < values.size(); i++) {
            if (isDiscriminating(i)) {
                int between = handOffSample.countCrossing(Cut.ALL.get(i));
                if (between > best) {
                    best = between;
                    better = Cut.ALL.get(i);
                }
            }
        }
        if (better == null) {
            return false;
        }
        override = better;
        overrides++;
        return updateCut();
    }

    private boolean isDiscriminating(int at) {
        return values.get(at).count > 1 && !values.get(at).isOverflowed();
    }

    private boolean isByName() {
        return names.count <= MAX_NAMES;
    }

    /**
     * Chooses the cut again.
     *
     * @return whether that changes it
     */
    private boolean updateCut() {
        Cut before = cut;
        cut = isByName() ? null : selectCut();
        return !Objects.equals(cut, before);
    }

    private @Nullable Cut selectCut() {
        // The choice of hand-offs is void as soon as it has too many values.
        if (override != null && isDiscriminating(Cut.ALL.indexOf(override))) {
            return override;
        }
        int limit = Math.min(MAX_PARTS, names.count / 2);
        Cut choice = smallest(at -> isStrong(at) && isDiscriminating(at) && values.get(at).count <= limit);
        choice = choice == null ? smallest(at -> isDiscriminating(at) && values.get(at).count <= limit) : choice;
        choice = choice == null ? smallest(at -> values.get(at).count == 1) : choice;
        return choice == null ? smallest(this::isDiscriminating) : choice;
    }

    private static boolean isStrong(int at) {
        return Cut.ALL.get(at).separators() == Separators.STRONG;
    }

    private @Nullable Cut smallest(IntPredicate condition) {
        int smallest = -1;
        for (int at = 0; at < values.size(); at++) {
            if (condition.test(at) && (smallest < 0 || magnitude(at) < magnitude(smallest))) {
                smallest = at;
            }
        }
        return smallest < 0 ? null : Cut.ALL.get(smallest);
    }

    private int magnitude(int at) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(values.get(at).count);
    }

    /** Returns the family of a queue whose name was {@linkplain #add added}. */
    FamilyName familyOf(QueueName name) {
        if (isByName()) {
            return new FamilyName(group, Bytes.wrap(name.unsafeArray()), false, Bytes.EMPTY);
        }
        return cut == null
                ? new FamilyName(
                        group,
                        Bytes.EMPTY,
                        true,
                        NameParts.of(name, Separators.ALL).ending())
                : cut.family(group, name);
    }
}
