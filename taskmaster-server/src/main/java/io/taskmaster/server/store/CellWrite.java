package io.taskmaster.server.store;

import io.taskmaster.model.Bytes;

/** A stamped change of one cell: a put or a delete. Immutable. */
public sealed interface CellWrite {

    CellKey key();

    Stamp stamp();

    /** A put, which sets the cell. */
    record Put(CellKey key, Stamp stamp, Bytes value) implements CellWrite {}

    /**
     * A deletion of the cell. A store may forget the deletion and its stamp: an older put that arrives later may become
     * visible, with its own stamp.
     */
    record Delete(CellKey key, Stamp stamp) implements CellWrite {}
}
