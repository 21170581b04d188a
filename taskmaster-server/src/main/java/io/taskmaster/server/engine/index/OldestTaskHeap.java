package io.taskmaster.server.engine.index;

import java.util.ArrayList;
import java.util.List;

/**
 * A binary heap of queues by the time at which the oldest of their leasable tasks was enqueued. Each queue has its
 * index in the heap, so that it can be moved without a search: queues are many and most of them change seldom. A queue
 * is in one such heap at most. Single-threaded: owned by {@link ActivityIndex}.
 */
final class OldestTaskHeap {

    private final List<OldestTask> heap = new ArrayList<>();

    boolean isEmpty() {
        return heap.isEmpty();
    }

    /** Returns the time of the first one. Not to be called on an empty heap. */
    long oldestMillis() {
        return heap.getFirst().sinceMillis;
    }

    /** Puts a queue where it belongs, whether it was here or not. */
    void put(OldestTask queue, long sinceMillis) {
        if (!queue.hasPlace()) {
            queue.place = heap.size();
            heap.add(queue);
        }
        queue.sinceMillis = sinceMillis;
        settle(queue);
    }

    /** Removes a queue that is here. */
    void remove(OldestTask queue) {
        int place = queue.place;
        OldestTask last = heap.removeLast();
        if (last != queue) {
            place(last, place);
            // It comes from elsewhere in the heap, so it may have to rise as well as to sink.
            settle(last);
        }
        queue.place = OldestTask.NOWHERE;
    }

    private void settle(OldestTask queue) {
        rise(queue);
        sink(queue);
    }

    private void rise(OldestTask queue) {
        int place = queue.place;
        while (place > 0 && isOlder(queue, heap.get((place - 1) / 2))) {
            place(heap.get((place - 1) / 2), place);
            place = (place - 1) / 2;
        }
        place(queue, place);
    }

    private void sink(OldestTask queue) {
        int place = queue.place;
        for (int child = olderChild(place);
                child < heap.size() && isOlder(heap.get(child), queue);
                child = olderChild(place)) {
            place(heap.get(child), place);
            place = child;
        }
        place(queue, place);
    }

    private int olderChild(int place) {
        int leftChild = 2 * place + 1;
        return leftChild + 1 < heap.size() && isOlder(heap.get(leftChild + 1), heap.get(leftChild))
                ? leftChild + 1
                : leftChild;
    }

    private void place(OldestTask queue, int place) {
        heap.set(place, queue);
        queue.place = place;
    }

    private static boolean isOlder(OldestTask queue, OldestTask other) {
        return queue.sinceMillis < other.sinceMillis;
    }
}
