/**
 * Partitions at run time: admission control, decisions, window refills, flush rounds, recovery, long polls, and the
 * node that runs them.
 */
@NullMarked
package io.taskmaster.server.partition;

import org.jspecify.annotations.NullMarked;
