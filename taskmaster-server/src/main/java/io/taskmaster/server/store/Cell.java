package io.taskmaster.server.store;

import io.taskmaster.model.Bytes;

/** A stored cell as a read returns it. Whether its stamp is to be believed is for the reader to say. Immutable. */
public record Cell(CellKey key, Stamp stamp, Bytes value) {}
