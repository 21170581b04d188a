/**
 * The pipeline of the flow: the stages of coordination, with the barrier between phases, and the stages that do the
 * work.
 */
@NullMarked
package io.taskmaster.examples.adsquality.stage;

import org.jspecify.annotations.NullMarked;
