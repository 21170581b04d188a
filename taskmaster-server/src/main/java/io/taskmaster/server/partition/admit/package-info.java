/** Admission control of a partition: fair queues in front of it, and refusals of requests that waited too long. */
@NullMarked
package io.taskmaster.server.partition.admit;

import org.jspecify.annotations.NullMarked;
