/** The metrics of a process, for Prometheus. */
@NullMarked
package io.taskmaster.proxy.metrics;

import org.jspecify.annotations.NullMarked;
