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
 * Which queues of a group belong together, as far as their names and their hand-offs say. Single-threaded.
 *
 * <p>While the group has had few names, each is a family. Then a family has a part of the name in common, one {@link Cut} of several:
 *
 * <ol>
 *   <li>one with a few values, and of these one with as few as possible. A few are two at least, since one value tells nothing apart; and half as many as there are names at most, since then
 *       each value stands for two queues in the mean. Cuts at strong separators go before all others.
 *   <li>If there is none, one with a single value.
 *   <li>If there is none, one with as few values as possible.
 *   <li>If all have too many, all queues are one family. So there are never more than a few families, whatever the names.
 * </ol>
 *
 * <p>How few values are is told by powers of two, so that two cuts that grow side by side do not take turns. What is seen of names is which values there are, up to a number. So the choice
 * depends on the set of names only, and not on the order in which they came: it is the same after a restart, with the same queues. Where that leaves a choice, hand-offs overrule it: a cut that sees
 * more than twice as many of the last ones go <em>between</em> families is better, for families that hand on to themselves say nothing of a pipeline. Families change by that a few times at most.
 */
final class Naming {

    /** So many names may be families of their own. */
    static final int MAX_NAMES = 32;

    /** So many values may a part have that tells families apart. */
    static final int MAX_PARTS = 64;

    /** So often may hand-offs overrule names: each time costs a look at every queue. */
    static final int MAX_OVERRULINGS = 4;

    /** A cut is better than another one if it sees so many times as many hand-offs between families. */
    private static final int BETTER = 2;

    private final Optional<GroupName> group;
    private final Values names = new Values(2 * MAX_PARTS);
    private final List<Values> values =
            Cut.ALL.stream().map(_ -> new Values(MAX_PARTS)).toList();
    private final HandOffSample handOffs = new HandOffSample();

    /** The cut in use; null: none. */
    private @Nullable Cut cut;

    /** What hand-offs say; null: nothing. */
    private @Nullable Cut overruling;

    private int overrulings;

    /** Hashes of what was seen of something, as long as there is little of it. */
    private static final class Values {

        private final long[] seen;
        private int count;

        Values(int max) {
            seen = new long[max];
        }

        boolean areTooMany() {
            return count > seen.length;
        }

        void add(long value) {
            if (areTooMany()) {
                return;
            }
            for (int i = 0; i < count; i++) {
                if (seen[i] == value) {
                    return;
                }
            }
            if (count < seen.length) {
                seen[count] = value;
            }
            count++;
        }
    }

    Naming(Optional<GroupName> group) {
        this.group = group;
    }

    /** Of all names; empty: of whatever group. */
    Optional<GroupName> group() {
        return group;
    }

    /** There is a queue with this name. True: from now on names are told apart in another way. */
    boolean learn(QueueName name) {
        boolean wasByName = isByName();
        byte[] bytes = name.unsafeArray();
        names.add(NameParts.hash(bytes, 0, bytes.length));
        NameParts strong = NameParts.of(name, Separators.STRONG);
        NameParts all = NameParts.of(name, Separators.ALL);
        for (int i = 0; i < values.size(); i++) {
            Values there = values.get(i);
            if (!there.areTooMany()) {
                Cut at = Cut.ALL.get(i);
                there.add(at.hash(at.separators() == Separators.STRONG ? strong : all));
            }
        }
        return chooseAgain() || wasByName != isByName();
    }

    /** A task went from one queue of the group to another. */
    void handedOn(QueueName from, QueueName to) {
        handOffs.add(from, to);
    }

    /** Whether hand-offs have shown a better way to tell names apart, which is in use from now on. */
    boolean reconsider() {
        if (isByName() || overrulings == MAX_OVERRULINGS || !handOffs.isFull()) {
            return false;
        }
        handOffs.clear();
        int best = cut == null ? 0 : BETTER * handOffs.between(cut);
        Cut better = null;
        for (int i = 0; i < values.size(); i++) {
            if (tellsApart(i)) {
                int between = handOffs.between(Cut.ALL.get(i));
                if (between > best) {
                    best = between;
                    better = Cut.ALL.get(i);
                }
            }
        }
        if (better == null) {
            return false;
        }
        overruling = better;
        overrulings++;
        return chooseAgain();
    }

    private boolean tellsApart(int at) {
        return values.get(at).count > 1 && !values.get(at).areTooMany();
    }

    private boolean isByName() {
        return names.count <= MAX_NAMES;
    }

    /** Whether that changes anything. */
    private boolean chooseAgain() {
        Cut before = cut;
        cut = isByName() ? null : choice();
        return !Objects.equals(cut, before);
    }

    private @Nullable Cut choice() {
        if (overruling != null && tellsApart(Cut.ALL.indexOf(overruling))) {
            return overruling;
        }
        int few = Math.min(MAX_PARTS, names.count / 2);
        Cut choice = fewest(at -> isStrong(at) && tellsApart(at) && values.get(at).count <= few);
        choice = choice == null ? fewest(at -> tellsApart(at) && values.get(at).count <= few) : choice;
        choice = choice == null ? fewest(at -> values.get(at).count == 1) : choice;
        return choice == null ? fewest(this::tellsApart) : choice;
    }

    private static boolean isStrong(int at) {
        return Cut.ALL.get(at).separators() == Separators.STRONG;
    }

    private @Nullable Cut fewest(IntPredicate isGood) {
        int fewest = -1;
        for (int at = 0; at < values.size(); at++) {
            if (isGood.test(at) && (fewest < 0 || magnitude(at) < magnitude(fewest))) {
                fewest = at;
            }
        }
        return fewest < 0 ? null : Cut.ALL.get(fewest);
    }

    private int magnitude(int at) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(values.get(at).count);
    }

    /** The family of a queue whose name was {@linkplain #learn learned}. */
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
