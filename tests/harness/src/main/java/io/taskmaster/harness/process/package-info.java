/**
 * Processes that are started, killed, frozen and started again with the same command: servers, and the processes that
 * use them. None of them outlives the process that started it, however that ends.
 */
@NullMarked
package io.taskmaster.harness.process;

import org.jspecify.annotations.NullMarked;
