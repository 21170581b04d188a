/**
 * The commit log of one partition: its rows, the record of its owner, group commit, takeover, checkpoints, trimming,
 * scrubbing.
 */
@NullMarked
package io.taskmaster.server.partition.log;

import org.jspecify.annotations.NullMarked;
