/**
 * The loops of partitions: threads, timers, the engine's clock, and the ticks of one partition on a loop that it
 * shares.
 */
@NullMarked
package io.taskmaster.server.partition.loop;

import org.jspecify.annotations.NullMarked;
