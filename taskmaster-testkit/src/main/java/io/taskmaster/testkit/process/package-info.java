/**
 * Processes that are started, killed, frozen and started again as the same: servers, and whatever works with them. None of them
 * outlives the process that started it, however that ends.
 */
@NullMarked
package io.taskmaster.testkit.process;

import org.jspecify.annotations.NullMarked;
