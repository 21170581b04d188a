package io.taskmaster.server.engine.flow;

import io.taskmaster.model.QueueName;
import org.jspecify.annotations.Nullable;

/**
 * A sample of the last hand-offs between queues of a group: enough of them to see which families hand on to each other.
 * Single-threaded.
 */
final class HandOffSample {

    /** The number of hand-offs kept. */
    static final int SIZE = 32;

    /**
     * The bound on names. Hand-offs of queues with longer ones are not kept, so that the sample is small whatever the
     * names.
     */
    static final int MAX_NAME_BYTES = 256;

    private final @Nullable QueueName[] from = new QueueName[SIZE];
    private final @Nullable QueueName[] to = new QueueName[SIZE];
    private int next;
    private boolean isFull;

    void add(QueueName source, QueueName target) {
        if (source.size() <= MAX_NAME_BYTES && target.size() <= MAX_NAME_BYTES) {
            from[next] = source;
            to[next] = target;
            next = (next + 1) % SIZE;
            isFull |= next == 0;
        }
    }

    /** Returns whether it has filled up since it was cleared. */
    boolean isFull() {
        return isFull;
    }

    /** Starts anew. */
    void clear() {
        next = 0;
        isFull = false;
    }

    /** Returns the number of hand-offs from one family to another, if families are distinguished by this cut. */
    int countCrossing(Cut cut) {
        int crossing = 0;
        for (int i = 0; i < SIZE; i++) {
            QueueName source = from[i];
            QueueName target = to[i];
            if (source != null && target != null && cut.hash(source) != cut.hash(target)) {
                crossing++;
            }
        }
        return crossing;
    }
}
