/** The metrics of a node, for Prometheus. */
@NullMarked
package io.taskmaster.server.metrics;

import org.jspecify.annotations.NullMarked;
