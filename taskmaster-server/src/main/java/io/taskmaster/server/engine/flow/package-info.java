/**
 * The flow of tasks from queue to queue, derived from the updates that move them, by families of queues with like
 * names; and the verdicts on queues in which tasks wait.
 */
@NullMarked
package io.taskmaster.server.engine.flow;

import org.jspecify.annotations.NullMarked;
