/**
 * Fair queueing over groups, and over the callers of a group. Pure: without threads, clocks, or knowledge of
 * partitions.
 */
@NullMarked
package io.taskmaster.server.partition.fair;

import org.jspecify.annotations.NullMarked;
