/** Decisions on commands, and the atoms that change the state of a partition. */
@NullMarked
package io.taskmaster.server.engine.command;

import org.jspecify.annotations.NullMarked;
