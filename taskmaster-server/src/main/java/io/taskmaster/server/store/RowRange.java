package io.taskmaster.server.store;

import io.taskmaster.model.Bytes;

/**
 * The rows of a table from {@code from} (inclusive) to {@code to} (exclusive), both in the same partition. Immutable.
 */
public record RowRange(Table table, Bytes from, Bytes to) {}
