package io.taskmaster.server.partition;

import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;
import io.taskmaster.model.QueueName;
import io.taskmaster.server.engine.Command;
import io.taskmaster.server.engine.Command.Selector;
import io.taskmaster.server.engine.Engine;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Leases that found nothing and wait, found by the queues that would end their wait. Single-threaded: owned by the partition's loop.
 */
final class LongPolls {

    private static final Comparator<Request> BY_ARRIVAL = Comparator.comparingLong(request -> request.number);
    private static final Comparator<Request> BY_DEADLINE =
            Comparator.<Request>comparingLong(request -> request.deadlineMillis).thenComparing(BY_ARRIVAL);

    private final TreeSet<Request> waiting = new TreeSet<>(BY_DEADLINE);
    private final Map<QueueKey, LinkedHashSet<Request>> byName = new HashMap<>();
    private final LinkedHashSet<Request> byPattern = new LinkedHashSet<>();

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** When the next wait ends; {@link Long#MAX_VALUE} if nobody waits. */
    long nextDeadlineMillis() {
        return waiting.isEmpty() ? Long.MAX_VALUE : waiting.first().deadlineMillis;
    }

    void add(Request request) {
        waiting.add(request);
        Selector selector = selectorOf(request);
        for (QueueKey queue : names(selector)) {
            byName.computeIfAbsent(queue, _ -> new LinkedHashSet<>()).add(request);
        }
        if (selector.pattern().isPresent()) {
            byPattern.add(request);
        }
    }

    boolean isWaiting(Request request) {
        return waiting.contains(request);
    }

    void remove(Request request) {
        if (!waiting.remove(request)) {
            return;
        }
        for (QueueKey queue : names(selectorOf(request))) {
            LinkedHashSet<Request> waiters = byName.get(queue);
            if (waiters != null && waiters.remove(request) && waiters.isEmpty()) {
                byName.remove(queue);
            }
        }
        byPattern.remove(request);
    }

    /** Who waits for tasks in a queue, in the order of arrival. */
    List<Request> waitingFor(QueueKey queue) {
        Collection<Request> named = byName.getOrDefault(queue, EMPTY);
        List<Request> found = new ArrayList<>(named);
        for (Request request : byPattern) {
            if (!named.contains(request) && Engine.selects(selectorOf(request), queue)) {
                found.add(request);
            }
        }
        if (!named.isEmpty() && found.size() > named.size()) {
            found.sort(BY_ARRIVAL);
        }
        return found;
    }

    /** Everybody whose wait is over, or who is gone. */
    List<Request> expired(long nowMillis) {
        List<Request> over = new ArrayList<>();
        for (Request request : waiting) {
            if (request.deadlineMillis > nowMillis) {
                break;
            }
            over.add(request);
        }
        return over;
    }

    /** Everybody, in the order of arrival. */
    List<Request> all() {
        List<Request> all = new ArrayList<>(waiting);
        all.sort(BY_ARRIVAL);
        return all;
    }

    private static final LinkedHashSet<Request> EMPTY = new LinkedHashSet<>();

    private static Selector selectorOf(Request request) {
        Command.Lease lease = Request.leaseOf(request.command);
        if (lease == null) {
            throw new IllegalStateException("command: " + request.command + " (expected: one that waits)");
        }
        return lease.selector();
    }

    private static List<QueueKey> names(Selector selector) {
        GroupName group = selector.group().orElse(GroupName.EMPTY);
        List<QueueKey> names = new ArrayList<>(selector.names().size());
        for (QueueName name : selector.names()) {
            names.add(new QueueKey(group, name));
        }
        return names;
    }
}
