/** Flush rounds: the rows of all that is dirty, and the deletion of rows that no queue needs any more. */
@NullMarked
package io.taskmaster.server.partition.flush;

import org.jspecify.annotations.NullMarked;
