package io.taskmaster.server.engine;

/**
 * A look at the queues of a partition, as far as they are in memory, in slices, so that others overtake. Single-threaded: owned by the partition's loop.
 *
 * @param <A> what it finds
 */
public interface Walk<A> {

    /** Of this many steps is a slice: well under a millisecond, or one or two where names are held against a new pattern. */
    int SLICE_STEPS = 2_000;

    /** So many tasks, which are looked at for the age of a queue, are as much work as a queue. */
    int TASKS_PER_STEP = 8;

    /** Walks on. True at the end. */
    boolean walkOn(PartitionState state);

    /** What it has found, at the end. */
    A found();
}
