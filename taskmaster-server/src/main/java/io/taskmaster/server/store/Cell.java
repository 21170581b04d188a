package io.taskmaster.server.store;

import io.taskmaster.model.Bytes;

/** A stored cell as a read returns it. The reader decides whether its stamp is believed. Immutable. */
public record Cell(CellKey key, Stamp stamp, Bytes value) {}
