/**
 * The stores of the servers of a run, and raw writes to the same stores without a server: the limit that servers are
 * compared with.
 */
@NullMarked
package io.taskmaster.bench.store;

import org.jspecify.annotations.NullMarked;
