/** Commands on tasks: enqueue, lease, dequeue, renew, release, redrive and peek. */
@NullMarked
package io.taskmaster.cli.tasks;

import org.jspecify.annotations.NullMarked;
