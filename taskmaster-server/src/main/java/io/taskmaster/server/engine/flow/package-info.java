/** How tasks flow from queue to queue, as the updates say that move them; by families of queues that are named alike. */
@NullMarked
package io.taskmaster.server.engine.flow;

import org.jspecify.annotations.NullMarked;
