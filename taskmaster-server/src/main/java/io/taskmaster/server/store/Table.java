package io.taskmaster.server.store;

/** The tables of a deployment. Every row of every table begins with {@link Store#PARTITION_PREFIX_BYTES} bytes of partition. */
public enum Table {
    /** Tasks that may be leased or are: a row per task, with up to three cells. */
    TASKS,
    /** What waits for a time: the tasks that are delayed, and the time index. */
    DELAYED,
    /** The commit log: a row of atoms, or a fence, per sequence. */
    LOG,
    /** The partition record, queue records, and what is to be reaped. */
    META
}
