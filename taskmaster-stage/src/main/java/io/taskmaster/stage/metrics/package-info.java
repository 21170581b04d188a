/**
 * Micrometer meters of workers, local stages and sockets, with names and units by Micrometer's conventions: one series
 * for each stage, none for queues, tasks or connections. Also profiles of the lengths of queues over time.
 */
@NullMarked
package io.taskmaster.stage.metrics;

import org.jspecify.annotations.NullMarked;
