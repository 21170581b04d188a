/** The pipeline of the conversion: its queues, the conversions, and the backoff queues of failed ones. */
@NullMarked
package io.taskmaster.examples.conversion.stage;

import org.jspecify.annotations.NullMarked;
