package io.taskmaster.server.engine;

import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.server.engine.Command.Selector;
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
        if (selector.isByName()) {
            for (QueueKey key : selector.keys()) {
                QueueState queue = state.queue(key);
                if (queue != null && queue.total() > 0 && isBehind(queue, after) && filter.test(queue)) {
                    chosen.add(queue);
                }
            }
            chosen.sort(Comparator.comparing(QueueState::key));
            return chosen.size() > max ? chosen.subList(0, max) : chosen;
        }
        Choice choice = state.queues().choices().of(selector);
        for (QueueState queue : range(state, selector, after).values()) {
            if (selector.group().isPresent()
                    && !queue.key.group().equals(selector.group().get())) {
                break;
            }
            if (queue.total() > 0 && filter.test(queue) && choice.chooses(queue)) {
                chosen.add(queue);
                if (chosen.size() == max) {
                    break;
                }
            }
        }
        return chosen;
    }

    private static boolean isBehind(QueueState queue, @Nullable QueueKey after) {
        return after == null || queue.key.compareTo(after) > 0;
    }

    private static NavigableMap<QueueKey, QueueState> range(
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
