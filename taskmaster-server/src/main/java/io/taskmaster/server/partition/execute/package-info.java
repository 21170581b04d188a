/** Execution of commands: decisions put into effect, and the waiters for tasks that are not there yet. */
@NullMarked
package io.taskmaster.server.partition.execute;

import org.jspecify.annotations.NullMarked;
