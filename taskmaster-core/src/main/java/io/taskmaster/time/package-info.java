/**
 * The clocks of a machine, and arithmetic of times and durations that callers choose. Depends on no other package of
 * TaskMaster.
 */
@NullMarked
package io.taskmaster.time;

import org.jspecify.annotations.NullMarked;
