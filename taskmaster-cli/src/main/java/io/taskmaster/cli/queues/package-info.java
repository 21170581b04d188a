/** Commands on queues: listings, descriptions, options, the flow between queues, and the live top. */
@NullMarked
package io.taskmaster.cli.queues;

import org.jspecify.annotations.NullMarked;
