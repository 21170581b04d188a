/** The self-observation of a node: its flow, its busiest queues, and their histories. */
@NullMarked
package io.taskmaster.server.insight;

import org.jspecify.annotations.NullMarked;
