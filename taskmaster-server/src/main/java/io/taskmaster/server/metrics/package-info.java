/** What a node measures, for Prometheus. */
@NullMarked
package io.taskmaster.server.metrics;

import org.jspecify.annotations.NullMarked;
