package io.taskmaster.server.partition.log;

import io.taskmaster.model.Bytes;

/** An atom as recovery found it in the log: whole, and never to be lost. Immutable. */
public record LoggedAtom(long ticket, Bytes bytes) {}
