package io.taskmaster.server.engine.state;

import io.taskmaster.model.ByteSequence;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;

/**
 * The heap that idle queues take: an account of the objects behind each, with compressed references. Tasks in memory
 * are accounted for elsewhere. A test compares it with real heaps. Stateless.
 */
final class QueueBytes {

    /**
     * The bytes of a queue beside its names: its state, window, rates, places in two maps and an array, bits of
     * selectors.
     */
    private static final int QUEUE = 420;

    /** The bytes of options: the object, and a place in a map. */
    private static final int OPTIONS = 112;

    /** The bytes of an empty byte string: the object and its array. */
    private static final long NAME = 40;

    private QueueBytes() {}

    /** Returns the bytes of a queue, without its group. */
    static long of(QueueKey queue) {
        return QUEUE + of(queue.name());
    }

    /** Returns the bytes of a group that has queues. They share its name. */
    static long of(GroupName group) {
        return of((ByteSequence) group);
    }

    /** Returns the bytes of the options of a queue. */
    static long ofOptions() {
        return OPTIONS;
    }

    private static long of(ByteSequence name) {
        return NAME + name.size();
    }
}
