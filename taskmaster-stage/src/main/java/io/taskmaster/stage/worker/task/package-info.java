/** A task in flight at a durable stage: its lease, its attempts, their results and traces. */
@NullMarked
package io.taskmaster.stage.worker.task;

import org.jspecify.annotations.NullMarked;
