/** Commands and replies of a partition, the decisions on them, and the atoms that change its state. */
@NullMarked
package io.taskmaster.server.engine.command;

import org.jspecify.annotations.NullMarked;
