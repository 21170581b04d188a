/** Selection of queues: the queues that each selector chooses, their sums, and the round-robin of leases among them. */
@NullMarked
package io.taskmaster.server.engine.select;

import org.jspecify.annotations.NullMarked;
