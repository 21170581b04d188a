/**
 * Indexes over the queues of a partition that follow its state: the busiest queues, the oldest tasks, unattended
 * queues.
 */
@NullMarked
package io.taskmaster.server.engine.index;

import org.jspecify.annotations.NullMarked;
