/**
 * What workers and local stages do, as Micrometer meters: names and units by its conventions, one series for each stage, none for queues or
 * tasks; and how long their queues were over time.
 */
@NullMarked
package io.taskmaster.stage.metrics;

import org.jspecify.annotations.NullMarked;
