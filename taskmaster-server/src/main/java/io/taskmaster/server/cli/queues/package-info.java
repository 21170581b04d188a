/** Commands on queues: listings, descriptions, options, the flow between queues, and the live top. */
@NullMarked
package io.taskmaster.server.cli.queues;

import org.jspecify.annotations.NullMarked;
