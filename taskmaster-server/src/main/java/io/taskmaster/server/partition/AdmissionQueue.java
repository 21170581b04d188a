package io.taskmaster.server.partition;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * Updates that bring tasks and come while there is no memory for dirty state: they wait their turn, for a while, in the order of their
 * arrival. How many there may be is bounded by what a node has in flight. Single-threaded: owned by the partition's loop.
 */
final class AdmissionQueue {

    private record Waiting(Request request, long untilMillis) {}

    private final Queue<Waiting> waiting = new ArrayDeque<>();

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /**
     * @param untilMillis when it has waited too long; not before that of those who wait already
     */
    void add(Request request, long untilMillis) {
        waiting.add(new Waiting(request, untilMillis));
    }

    /** Takes out whose turn it is. */
    Request next() {
        return waiting.remove().request;
    }

    /** Takes out who has waited too long. */
    List<Request> expired(long nowMillis) {
        List<Request> over = new ArrayList<>();
        for (Waiting first = waiting.peek(); first != null && first.untilMillis <= nowMillis; first = waiting.peek()) {
            over.add(next());
        }
        return over;
    }

    /** Empties it. */
    List<Request> drain() {
        return expired(Long.MAX_VALUE);
    }
}
