/** The pipeline: conversions, and the backoff queues of those that failed. */
@NullMarked
package io.taskmaster.examples.conversion.stage;

import org.jspecify.annotations.NullMarked;
