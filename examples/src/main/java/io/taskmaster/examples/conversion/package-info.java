/**
 * Document conversion (paper section 7): what users ask for waits in a queue, converters do it, and what fails waits in a backoff queue until it
 * is due. This package holds the queues and the demo.
 */
@NullMarked
package io.taskmaster.examples.conversion;

import org.jspecify.annotations.NullMarked;
