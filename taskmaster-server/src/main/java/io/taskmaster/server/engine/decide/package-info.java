/** Decisions on commands: pure functions of state, command and time. */
@NullMarked
package io.taskmaster.server.engine.decide;

import org.jspecify.annotations.NullMarked;
