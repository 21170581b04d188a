/** Ownership of a partition: its record in the store, epochs, candidates, and the end of an epoch by deposition. */
@NullMarked
package io.taskmaster.server.partition.log.ownership;

import org.jspecify.annotations.NullMarked;
