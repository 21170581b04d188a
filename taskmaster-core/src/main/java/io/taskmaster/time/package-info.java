/** Arithmetic of times and durations that callers choose. Stands on nothing of ours. */
@NullMarked
package io.taskmaster.time;

import org.jspecify.annotations.NullMarked;
