/** The surroundings of a partition: its settings, and the resources and meters that it shares with others. */
@NullMarked
package io.taskmaster.server.partition.context;

import org.jspecify.annotations.NullMarked;
