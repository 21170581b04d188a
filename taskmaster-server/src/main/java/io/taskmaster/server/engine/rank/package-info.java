/** Rankings of queues: pages in some order, found by scans in slices. */
@NullMarked
package io.taskmaster.server.engine.rank;

import org.jspecify.annotations.NullMarked;
