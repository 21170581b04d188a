package io.taskmaster.server.store;

import io.taskmaster.model.Bytes;

/** One change of one cell, stamped. Immutable. */
public sealed interface CellWrite {

    CellKey key();

    Stamp stamp();

    /** Sets the cell. */
    record Put(CellKey key, Stamp stamp, Bytes value) implements CellWrite {}

    /** Deletes the cell. Stores may forget the deletion and its stamp: an older put that comes later may be seen, with its own stamp. */
    record Delete(CellKey key, Stamp stamp) implements CellWrite {}
}
