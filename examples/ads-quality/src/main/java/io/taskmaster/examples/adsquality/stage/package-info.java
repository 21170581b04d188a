/**
 * The pipeline of the flow: its queues, the stages of coordination, with the barrier between phases, and the stages
 * that do the work.
 */
@NullMarked
package io.taskmaster.examples.adsquality.stage;

import org.jspecify.annotations.NullMarked;
