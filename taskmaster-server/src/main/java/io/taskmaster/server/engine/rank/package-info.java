/** Scans over the queues of a partition in slices: for pages of queues in some order, and for the busiest queues. */
@NullMarked
package io.taskmaster.server.engine.rank;

import org.jspecify.annotations.NullMarked;
