/**
 * The types of the data model: byte strings in unsigned order, PIDs, the names of queues, groups and families,
 * partitions.
 */
@NullMarked
package io.taskmaster.model;

import org.jspecify.annotations.NullMarked;
