/** The bounds of a node's memory and log: a partition's share of each. */
@NullMarked
package io.taskmaster.server.partition.budget;

import org.jspecify.annotations.NullMarked;
