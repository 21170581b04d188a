/** Fair queueing: whose turn it is among groups, and among the callers of a group. Pure: no threads, no time, and nothing of a partition. */
@NullMarked
package io.taskmaster.server.partition.fair;

import org.jspecify.annotations.NullMarked;
