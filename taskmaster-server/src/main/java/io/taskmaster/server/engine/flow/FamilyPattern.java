package io.taskmaster.server.engine.flow;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.taskmaster.model.Bytes;
import io.taskmaster.model.FamilyName;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueName;
import java.util.Arrays;
import java.util.Optional;

/**
 * Families as people name them: by what the one group of a pattern captures in a name. Immutable.
 *
 * @param pattern held against whole names; those that it does not match have the families of {@link Naming}
 */
public record FamilyPattern(Pattern pattern) {

    /** So many instructions a pattern may have: a name costs as many steps as these times its bytes, at most. */
    public static final int MAX_INSTRUCTIONS = 200;

    /**
     * Checks it.
     *
     * @throws IllegalArgumentException with what was expected
     */
    public FamilyPattern {
        if (pattern.groupCount() != 1) {
            throw new IllegalArgumentException("one capturing group, not " + pattern.groupCount());
        }
        if (pattern.programSize() > MAX_INSTRUCTIONS) {
            throw new IllegalArgumentException("a pattern of %d instructions at most, not of %d"
                    .formatted(MAX_INSTRUCTIONS, pattern.programSize()));
        }
    }

    /** The family of a queue; empty: the pattern says nothing of it. */
    Optional<FamilyName> familyOf(Optional<GroupName> group, QueueName name) {
        byte[] bytes = name.unsafeArray();
        Matcher matcher = pattern.matcher(bytes);
        if (!matcher.matches() || matcher.start(1) < 0) {
            return Optional.empty();
        }
        Bytes captured = Bytes.wrap(Arrays.copyOfRange(bytes, matcher.start(1), matcher.end(1)));
        return Optional.of(new FamilyName(group, captured, false, Bytes.EMPTY));
    }
}
