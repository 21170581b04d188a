package io.taskmaster.server.engine;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.re2j.Pattern;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.server.engine.Command.Selector;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Which queues a selector chooses, in order of group and name. Stateless. */
final class Selection {

    private Selection() {}

    /**
     * The chosen queues that hold tasks, behind {@code after} (null: from the beginning), as far as a filter lets them pass.
     *
     * @param max no more than so many
     */
    static List<QueueState> of(
            PartitionState state, Selector selector, @Nullable QueueKey after, Predicate<QueueState> filter, int max) {
        List<QueueState> chosen = new ArrayList<>();
        boolean byNameOnly = selector.pattern().isEmpty()
                && !selector.names().isEmpty()
                && selector.group().isPresent();
        if (byNameOnly) {
            for (QueueName name : selector.names()) {
                QueueState queue = state.queue(new QueueKey(selector.group().orElse(GroupName.EMPTY), name));
                if (queue != null && queue.total() > 0 && isBehind(queue, after) && filter.test(queue)) {
                    if (!chosen.contains(queue)) {
                        chosen.add(queue);
                    }
                }
            }
            chosen.sort(Comparator.comparing(QueueState::key));
            return chosen.size() > max ? chosen.subList(0, max) : chosen;
        }
        for (QueueState queue : range(state, selector, after).values()) {
            if (selector.group().isPresent()
                    && !queue.key.group().equals(selector.group().get())) {
                break;
            }
            if (queue.total() > 0 && matches(selector, queue.key.name()) && filter.test(queue)) {
                chosen.add(queue);
                if (chosen.size() == max) {
                    break;
                }
            }
        }
        return chosen;
    }

    /** Whether a selector chooses a queue of its group by this name. */
    static boolean matches(Selector selector, QueueName name) {
        if (selector.choosesAll() || selector.names().contains(name)) {
            return true;
        }
        return selector.pattern().isPresent() && matches(selector.pattern().get(), name);
    }

    private static boolean isBehind(QueueState queue, @Nullable QueueKey after) {
        return after == null || queue.key.compareTo(after) > 0;
    }

    private static NavigableMap<QueueKey, QueueState> range(
            PartitionState state, Selector selector, @Nullable QueueKey after) {
        NavigableMap<QueueKey, QueueState> all = state.ordered();
        if (selector.group().isPresent()) {
            all = all.tailMap(new QueueKey(selector.group().get(), QueueName.EMPTY), true);
        }
        if (after == null || (!all.isEmpty() && all.firstKey().compareTo(after) > 0)) {
            return all;
        }
        return all.tailMap(after, false);
    }

    /** A pattern must match the whole name; a name that is not UTF-8 matches none. */
    private static boolean matches(Pattern pattern, QueueName name) {
        try {
            return pattern.matches(UTF_8.newDecoder()
                    .decode(ByteBuffer.wrap(name.unsafeArray()))
                    .toString());
        } catch (CharacterCodingException notText) {
            return false;
        }
    }
}
