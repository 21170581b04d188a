/**
 * Document conversion (paper section 7). Requests of users wait in a queue, converters process them, and documents that
 * fail wait in a backoff queue until they are due. This package holds the command, on top of the parts.
 */
@NullMarked
package io.taskmaster.examples.conversion;

import org.jspecify.annotations.NullMarked;
