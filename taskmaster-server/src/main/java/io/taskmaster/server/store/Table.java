package io.taskmaster.server.store;

/** The tables of a deployment. Every row of every table begins with {@link Store#PARTITION_PREFIX_BYTES} bytes of partition. */
public enum Table {
    /** Tasks in their place: a row per task, with a data and a state cell. */
    TASKS,
    /** What waits for a time: the time index, and (later) the tasks that are delayed. */
    DELAYED,
    /** The commit log: a row of atoms, or a fence, per sequence. */
    LOG,
    /** The partition record, queue records, and what is to be reaped. */
    META
}
