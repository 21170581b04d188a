package io.taskmaster.server.partition.execute;

import io.taskmaster.command.Command;
import io.taskmaster.command.Command.Selector;
import io.taskmaster.model.QueueKey;
import io.taskmaster.server.engine.select.SelectorCache;
import io.taskmaster.server.engine.state.QueueState;
import io.taskmaster.server.partition.commit.Request;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The waiters of a partition: leases and watches that found nothing, indexed by the queues that would end their wait.
 * Single-threaded: owned by the partition's loop.
 */
final class LongPolls {

    private static final Comparator<Request> BY_DEADLINE =
            // By arrival as well, since a TreeSet takes elements that compare as equal for the same element.
            Comparator.comparingLong(Request::deadlineMillis).thenComparing(Request.BY_ARRIVAL);

    private final SelectorCache selectorCache;
    private final TreeSet<Request> waiting = new TreeSet<>(BY_DEADLINE);
    private final Map<QueueKey, NavigableSet<Request>> byName = new HashMap<>();

    /** The waiters whose selectors match more than queues named one by one. */
    private final Map<Selector, NavigableSet<Request>> bySelector = new HashMap<>();

    LongPolls(SelectorCache selectorCache) {
        this.selectorCache = selectorCache;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** The deadline of the first waiter; {@link Long#MAX_VALUE} if there is none. */
    long nextDeadlineMillis() {
        return waiting.isEmpty() ? Long.MAX_VALUE : waiting.first().deadlineMillis();
    }

    void add(Request request) {
        waiting.add(request);
        Selector selector = selectorOf(request);
        if (selector.isByName()) {
            selector.keys().forEach(queue -> add(byName, queue, request));
        } else {
            add(bySelector, selector, request);
        }
    }

    private static <K> void add(Map<K, NavigableSet<Request>> waiters, K key, Request request) {
        waiters.computeIfAbsent(key, _ -> new TreeSet<>(Request.BY_ARRIVAL)).add(request);
    }

    private static <K> void remove(Map<K, NavigableSet<Request>> waiters, K key, Request request) {
        // An empty set is removed, so that selectors of the past do not pile up and every set has a first waiter.
        waiters.computeIfPresent(
                key, (_, requests) -> requests.remove(request) && requests.isEmpty() ? null : requests);
    }

    boolean isWaiting(Request request) {
        return waiting.contains(request);
    }

    void remove(Request request) {
        if (!waiting.remove(request)) {
            return;
        }
        Selector selector = selectorOf(request);
        if (selector.isByName()) {
            selector.keys().forEach(queue -> remove(byName, queue, request));
        } else {
            remove(bySelector, selector, request);
        }
    }

    /**
     * Returns the next waiter, by arrival, for tasks of a queue; also one with a selector that is not resolved, where
     * matching its pattern is too much work for this loop tick.
     *
     * @param after the waiter before; null: none, the first is returned
     */
    @Nullable
    Request next(QueueState queue, @Nullable Request after) {
        Request next = firstAfter(byName.get(queue.key()), after);
        for (Map.Entry<Selector, NavigableSet<Request>> waiters : bySelector.entrySet()) {
            Request first = firstAfter(waiters.getValue(), after);
            // The pattern comes last: matching may be costly, and is needed only where its waiter would be the next
            // one.
            if (first != null
                    && (next == null || first.number() < next.number())
                    && selectorCache.mayChoose(waiters.getKey(), queue)) {
                next = first;
            }
        }
        return next;
    }

    private static @Nullable Request firstAfter(@Nullable NavigableSet<Request> waiters, @Nullable Request after) {
        if (waiters == null) {
            return null;
        }
        return after == null ? waiters.first() : waiters.higher(after);
    }

    /** Returns all waiters whose deadline has passed. */
    List<Request> expired(long nowMillis) {
        List<Request> expired = new ArrayList<>();
        for (Request request : waiting) {
            if (request.deadlineMillis() > nowMillis) {
                break;
            }
            expired.add(request);
        }
        return expired;
    }

    /** Returns all waiters, in the order of arrival. */
    List<Request> all() {
        List<Request> all = new ArrayList<>(waiting);
        all.sort(Request.BY_ARRIVAL);
        return all;
    }

    private static Selector selectorOf(Request request) {
        Command.Lease lease = Request.leaseOf(request.command());
        if (lease == null) {
            throw new IllegalStateException("command: " + request.command() + " (expected: one that waits)");
        }
        return lease.selector();
    }
}
