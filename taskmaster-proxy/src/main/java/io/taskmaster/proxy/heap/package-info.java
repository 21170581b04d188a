/** The termination of a server whose heap is full: at once, with an exit status of its own. */
@NullMarked
package io.taskmaster.proxy.heap;

import org.jspecify.annotations.NullMarked;
