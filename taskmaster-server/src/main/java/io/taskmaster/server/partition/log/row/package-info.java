/** Rows of the log: their keys, their bytes, and the atoms in them. */
@NullMarked
package io.taskmaster.server.partition.log.row;

import org.jspecify.annotations.NullMarked;
