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
 * A pattern by which the operator names families: the family is what its one group captures in a name. Immutable.
 *
 * @param pattern matched against whole names; those that it does not match have the families of {@link Naming}
 */
public record FamilyPattern(Pattern pattern) {

    /** The bound on the instructions of a pattern: a name costs as many steps as these times its bytes, at most. */
    public static final int MAX_INSTRUCTIONS = 200;

    /**
     * Checks the pattern.
     *
     * @throws IllegalArgumentException with what was expected
     */
    public FamilyPattern {
        if (pattern.groupCount() != 1) {
            throw new IllegalArgumentException("one capturing group, not " + pattern.groupCount());
        }
        if (pattern.programSize() > MAX_INSTRUCTIONS) {
            throw new IllegalArgumentException(
                    "a pattern of at most %d instructions, not %d".formatted(MAX_INSTRUCTIONS, pattern.programSize()));
        }
    }

    /** Returns the family of a queue; empty: the pattern does not match it. */
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
