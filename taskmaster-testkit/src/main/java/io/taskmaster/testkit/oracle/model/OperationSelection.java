package io.taskmaster.testkit.oracle.model;

import com.google.protobuf.ByteString;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.taskmaster.model.QueueName;
import io.taskmaster.v1.QueueSelector;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The queues that a selector chooses. Immutable. */
final class OperationSelection {

    private final ByteString group;
    private final boolean allGroups;
    private final Set<ByteString> names;
    private final @Nullable Pattern pattern;
    private final boolean everything;
    private final boolean leavesOutDeadLetters;

    private OperationSelection(QueueSelector selector, @Nullable Pattern pattern) {
        this.group = selector.getGroup();
        this.allGroups = selector.getAllGroups();
        this.names =
                selector.getNamesCount() == 1 ? Set.of(selector.getNames(0)) : new HashSet<>(selector.getNamesList());
        this.pattern = pattern;
        this.leavesOutDeadLetters = selector.getWithoutDeadLetters();
        this.everything = selector.getNamesCount() == 0 && selector.getNameRe().isEmpty();
    }

    /** Returns the selection of a selector. An invalid pattern chooses nothing: such a request is refused. */
    static OperationSelection of(QueueSelector selector) {
        if (selector.getNameRe().isEmpty()) {
            return new OperationSelection(selector, null);
        }
        try {
            return new OperationSelection(selector, Pattern.compile(selector.getNameRe()));
        } catch (PatternSyntaxException refused) {
            return new OperationSelection(selector, null);
        }
    }

    boolean chooses(QueueId queue) {
        return (allGroups || queue.group().equals(group))
                && (everything || names.contains(queue.name()) || matches(queue.name()));
    }

    private boolean matches(ByteString name) {
        return pattern != null
                && name.isValidUtf8()
                && pattern.matches(name.toStringUtf8())
                && !(leavesOutDeadLetters && QueueName.wrap(name.toByteArray()).isForDeadLetters());
    }
}
