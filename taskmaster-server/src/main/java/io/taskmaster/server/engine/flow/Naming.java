package io.taskmaster.server.engine.flow;

import io.taskmaster.model.Bytes;
import io.taskmaster.model.FamilyName;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueName;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Which queues of a group belong together, as far as their names say. While the group has had few names, each is a family. Then names are
 * {@linkplain NameParts cut}, and a family has the first part in common, or the last one: whichever has fewer values. Once that has too many, the other one
 * decides, and if it has too many as well, all queues are one family. So there are never more than a few families, whatever the names. Dead letters are families
 * of their own. Single-threaded.
 */
final class Naming {

    /** So many names may be families of their own. */
    static final int MAX_NAMES = 32;

    /** So many values may a part have that tells families apart. */
    static final int MAX_PARTS = 64;

    private enum Rule {
        NAME,
        FIRST,
        LAST,
        NONE
    }

    private final Optional<GroupName> group;
    private final Values<QueueName> names = new Values<>(MAX_NAMES);
    private final Values<Bytes> firsts = new Values<>(MAX_PARTS);
    private final Values<Bytes> lasts = new Values<>(MAX_PARTS);
    private Rule rule = Rule.NAME;

    /** What was seen of something, as long as there is little of it. */
    private static final class Values<V> {

        private final int max;
        private final Set<V> seen = new HashSet<>();
        private boolean tooMany;

        Values(int max) {
            this.max = max;
        }

        void add(V value) {
            if (!tooMany && seen.add(value) && seen.size() > max) {
                tooMany = true;
                seen.clear();
            }
        }

        /** How many there are; more than any number if they are too many. */
        int count() {
            return tooMany ? Integer.MAX_VALUE : seen.size();
        }
    }

    Naming(Optional<GroupName> group) {
        this.group = group;
    }

    /** There is a queue with this name. True: from now on names are told apart in another way. */
    boolean learn(QueueName name) {
        NameParts parts = NameParts.of(name);
        names.add(name);
        firsts.add(parts.first());
        lasts.add(parts.last());
        Rule before = rule;
        rule = next();
        return rule != before;
    }

    /** A part that was good enough stays so until it has too many values, so that families do not change with every name. */
    private Rule next() {
        boolean isGood = switch (rule) {
            case NAME -> !names.tooMany;
            case FIRST -> !firsts.tooMany;
            case LAST -> !lasts.tooMany;
            case NONE -> true;
        };
        if (isGood) {
            return rule;
        }
        if (firsts.tooMany && lasts.tooMany) {
            return Rule.NONE;
        }
        return firsts.count() <= lasts.count() ? Rule.FIRST : Rule.LAST;
    }

    /** The family of a queue whose name was {@linkplain #learn learned}. */
    FamilyName familyOf(QueueName name) {
        if (rule == Rule.NAME) {
            return new FamilyName(group, Bytes.wrap(name.unsafeArray()), false, Bytes.EMPTY);
        }
        NameParts parts = NameParts.of(name);
        if (rule == Rule.NONE) {
            return new FamilyName(group, Bytes.EMPTY, true, parts.ending());
        }
        if (parts.isWhole()) {
            return new FamilyName(group, parts.first(), false, parts.ending());
        }
        return rule == Rule.FIRST
                ? new FamilyName(group, parts.first(), true, parts.ending())
                : new FamilyName(group, Bytes.EMPTY, true, withEnding(parts));
    }

    private static Bytes withEnding(NameParts parts) {
        if (parts.ending().isEmpty()) {
            return parts.last();
        }
        byte[] last = parts.last().toByteArray();
        byte[] tail = Arrays.copyOf(last, last.length + parts.ending().size());
        System.arraycopy(
                parts.ending().unsafeArray(),
                0,
                tail,
                last.length,
                parts.ending().size());
        return Bytes.wrap(tail);
    }
}
