/**
 * The state of a partition: queues, tasks, windows, the time index, and the entries that are dirty. Only an atom
 * changes what the partition promises.
 */
@NullMarked
package io.taskmaster.server.engine.state;

import org.jspecify.annotations.NullMarked;
