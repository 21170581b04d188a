package io.taskmaster.server.simulation;

import io.taskmaster.model.Bytes;
import io.taskmaster.server.store.CellKey;

/** What the simulated store knows of the bytes in it: enough to watch who owns the partition, and to take rules back. */
interface Formats {

    /** Whether this is the cell that says who owns the partition. */
    boolean isRecord(CellKey key);

    long epochOfRecord(Bytes record);

    /** A record with the checkpoint and the round of another, and all else its own. */
    Bytes withCheckpointOf(Bytes record, Bytes other);

    /** The epoch of a log row. */
    long epochOfRow(CellKey key);

    boolean isFence(CellKey key, Bytes row);

    /** Whether a log row holds nothing but atoms without effect. */
    boolean changesNothing(CellKey key, Bytes row);
}
