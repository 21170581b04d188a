/** Calls of the store from a partition's loop, with retries; outcomes come back to the loop. */
@NullMarked
package io.taskmaster.server.partition.calls;

import org.jspecify.annotations.NullMarked;
