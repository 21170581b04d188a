/** Tests of the metrics of a whole node. */
@NullMarked
package io.taskmaster.server.metrics;

import org.jspecify.annotations.NullMarked;
