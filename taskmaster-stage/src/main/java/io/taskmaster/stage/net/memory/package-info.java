/** Memory of an endpoint: one budget for all connections, and the share that each has of it. */
@NullMarked
package io.taskmaster.stage.net.memory;

import org.jspecify.annotations.NullMarked;
