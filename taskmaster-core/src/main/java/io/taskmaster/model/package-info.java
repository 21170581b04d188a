/** The words of the data model as types: byte strings in unsigned order, PIDs, queue and group names, partitions. */
@NullMarked
package io.taskmaster.model;

import org.jspecify.annotations.NullMarked;
