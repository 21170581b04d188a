/**
 * What workers, local stages and sockets do, as Micrometer meters: names and units by its conventions, one series for each stage, none for queues,
 * tasks or connections; and how long the queues of stages were over time.
 */
@NullMarked
package io.taskmaster.stage.metrics;

import org.jspecify.annotations.NullMarked;
