package io.taskmaster.server.engine.select;

import io.taskmaster.command.Command.Selector;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.server.engine.state.PartitionState;
import io.taskmaster.server.engine.state.QueueState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The enumeration of the queues that a selector chooses, in order of group and name. Stateless. */
public final class Selection {

    private Selection() {}

    /**
     * A part of the chosen queues.
     *
     * @param end where it ended, if there may be others behind that queue
     */
    public record Slice(List<QueueState> queues, Optional<QueueKey> end) {}

    /**
     * Returns the chosen queues behind {@code after} (null: from the beginning) that pass a filter.
     *
     * @param max no more than this number
     */
    public static List<QueueState> of(
            PartitionState state,
            SelectorCache selectors,
            Selector selector,
            @Nullable QueueKey after,
            Predicate<QueueState> filter,
            int max) {
        return slice(state, selectors, selector, Optional.ofNullable(after), filter, max, Integer.MAX_VALUE)
                .queues();
    }

    /**
     * Returns a slice of the chosen queues behind {@code after} that pass a filter.
     *
     * @param maxExamined no more than this number of queues is looked at, unless the selector names them
     */
    public static Slice slice(
            PartitionState state,
            SelectorCache selectors,
            Selector selector,
            Optional<QueueKey> after,
            Predicate<QueueState> filter,
            int max,
            int maxExamined) {
        return selector.isByName()
                ? named(state, selector, after, filter, max)
                : found(state, selectors, selector, after, filter, max, maxExamined);
    }

    private static Slice named(
            PartitionState state, Selector selector, Optional<QueueKey> after, Predicate<QueueState> filter, int max) {
        List<QueueState> chosen = new ArrayList<>();
        for (QueueKey key : selector.keys()) {
            QueueState queue = state.queue(key);
            if (queue != null && isBehind(queue, after) && filter.test(queue)) {
                chosen.add(queue);
            }
        }
        chosen.sort(Comparator.comparing(QueueState::key));
        return chosen.size() <= max
                ? new Slice(chosen, Optional.empty())
                : new Slice(
                        chosen.subList(0, max), Optional.of(chosen.get(max - 1).key()));
    }

    private static Slice found(
            PartitionState state,
            SelectorCache selectors,
            Selector selector,
            Optional<QueueKey> after,
            Predicate<QueueState> filter,
            int max,
            int maxExamined) {
        List<QueueState> chosen = new ArrayList<>();
        SelectorMatch selectorMatch = selectors.of(selector);
        int examined = 0;
        for (QueueState queue : range(state, selector, after.orElse(null)).values()) {
            if (selector.group().isPresent()
                    && !queue.key().group().equals(selector.group().get())) {
                break;
            }
            // The filter first: it is cheaper than matching a name that is not known yet.
            if (filter.test(queue) && selectorMatch.chooses(queue)) {
                chosen.add(queue);
            }
            if (chosen.size() == max || ++examined == maxExamined) {
                return new Slice(chosen, Optional.of(queue.key()));
            }
        }
        return new Slice(chosen, Optional.empty());
    }

    private static boolean isBehind(QueueState queue, Optional<QueueKey> after) {
        return after.isEmpty() || queue.key().compareTo(after.get()) > 0;
    }

    /**
     * Returns the range in which chosen queues may be found, behind {@code after}. It includes those of other groups
     * behind the group.
     */
    public static NavigableMap<QueueKey, QueueState> range(
            PartitionState state, Selector selector, @Nullable QueueKey after) {
        NavigableMap<QueueKey, QueueState> all = state.queues().ordered();
        if (selector.group().isPresent()) {
            all = all.tailMap(new QueueKey(selector.group().get(), QueueName.EMPTY), true);
        }
        if (after == null || (!all.isEmpty() && all.firstKey().compareTo(after) > 0)) {
            return all;
        }
        return all.tailMap(after, false);
    }
}
