package io.taskmaster.server.partition.log.row;

import io.taskmaster.model.Bytes;

/** An atom as recovery read it from the log: complete and committed. Immutable. */
public record LoggedAtom(long ticket, Bytes bytes) {}
