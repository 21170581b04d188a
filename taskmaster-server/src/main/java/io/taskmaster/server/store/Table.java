package io.taskmaster.server.store;

/**
 * The tables of a deployment. Every row of every table begins with {@link Store#PARTITION_PREFIX_BYTES} bytes of
 * partition.
 */
public enum Table {
    /** Available and leased tasks: a row per task, with up to three cells. */
    TASKS,
    /** Rows that are ordered by time: delayed tasks, and the time index. */
    DELAYED,
    /** The commit log: a row of atoms, or a fence, per sequence. */
    LOG,
    /** The partition record, queue records, and ranges of garbage to be deleted. */
    META
}
