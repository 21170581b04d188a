/** The flow: the stages of coordination, with the barrier between phases, and those of the pipelines. */
@NullMarked
package io.taskmaster.examples.adsquality.stage;

import org.jspecify.annotations.NullMarked;
