/** The commit log of one partition: its rows, the record that says who owns it, group commit, takeover, checkpoints, trimming. */
@NullMarked
package io.taskmaster.server.partition.log;

import org.jspecify.annotations.NullMarked;
