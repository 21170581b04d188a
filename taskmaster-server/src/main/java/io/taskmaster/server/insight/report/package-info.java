/** Endpoints of a node's insight: the service that the page and the commands use, and metrics for Prometheus. */
@NullMarked
package io.taskmaster.server.insight.report;

import org.jspecify.annotations.NullMarked;
