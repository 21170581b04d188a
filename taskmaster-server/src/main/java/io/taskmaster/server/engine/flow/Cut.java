package io.taskmaster.server.engine.flow;

import io.taskmaster.model.Bytes;
import io.taskmaster.model.FamilyName;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueName;
import io.taskmaster.server.engine.flow.NameParts.Separators;
import java.util.List;
import java.util.Optional;

/**
 * A part of names by which families may be distinguished: a head or a tail. Immutable.
 *
 * @param parts the number of parts of the name that it takes
 */
record Cut(Separators separators, boolean isHead, int parts) {

    /**
     * All cuts. Of two that are equally good the first is taken: strong separators go before weak ones, and short parts
     * before long ones.
     */
    static final List<Cut> ALL = List.of(
            new Cut(Separators.STRONG, true, 1),
            new Cut(Separators.STRONG, false, 1),
            new Cut(Separators.STRONG, true, 2),
            new Cut(Separators.STRONG, false, 2),
            new Cut(Separators.STRONG, true, 3),
            new Cut(Separators.ALL, true, 1),
            new Cut(Separators.ALL, false, 1),
            new Cut(Separators.ALL, true, 2),
            new Cut(Separators.ALL, false, 2),
            new Cut(Separators.ALL, true, 3));

    /** Returns a number that stands for the value that a name has there. */
    long hash(NameParts name) {
        return isHead ? name.headHash(parts) : name.tailHash(parts);
    }

    long hash(QueueName name) {
        return hash(NameParts.of(name, separators));
    }

    /** Returns the family of all names with the same value. Dead-letter queues have a family of their own. */
    FamilyName family(Optional<GroupName> group, QueueName name) {
        NameParts cut = NameParts.of(name, separators);
        if (cut.isSinglePart()) {
            return new FamilyName(group, cut.base(), false, cut.ending());
        }
        return isHead
                ? new FamilyName(group, cut.head(parts), true, cut.ending())
                : new FamilyName(group, Bytes.EMPTY, true, cut.tailAndEnding(parts));
    }
}
