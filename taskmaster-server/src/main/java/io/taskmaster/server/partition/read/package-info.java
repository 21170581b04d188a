/** Reads that requests and time wait for: rows of tasks, windows, the time index, and names that match a pattern. */
@NullMarked
package io.taskmaster.server.partition.read;

import org.jspecify.annotations.NullMarked;
