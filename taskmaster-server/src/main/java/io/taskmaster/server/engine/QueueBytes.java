package io.taskmaster.server.engine;

import io.taskmaster.model.ByteSequence;
import io.taskmaster.model.GroupName;
import io.taskmaster.model.QueueKey;

/**
 * The heap that queues take while they are idle: an account of the objects behind each, with compressed references. Tasks in memory are accounted for elsewhere. A test compares it with
 * real heaps. Stateless.
 */
final class QueueBytes {

    /** What a queue takes beside its names: its state, window, rates, places in two maps and an array, bits of selectors. */
    private static final int QUEUE = 420;

    /** What options take: themselves, and a place in a map. */
    private static final int OPTIONS = 112;

    /** A byte string: the object and its array. */
    private static final long NAME = 40;

    private QueueBytes() {}

    /** Of a queue, without its group. */
    static long of(QueueKey queue) {
        return QUEUE + of(queue.name());
    }

    /** Of a group that has queues. They share its name. */
    static long of(GroupName group) {
        return of((ByteSequence) group);
    }

    /** Of what a queue was told. */
    static long ofOptions() {
        return OPTIONS;
    }

    private static long of(ByteSequence name) {
        return NAME + name.size();
    }
}
