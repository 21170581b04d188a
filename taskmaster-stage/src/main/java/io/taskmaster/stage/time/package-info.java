/**
 * Events that come by themselves, after a while or every so often, and go to a {@link io.taskmaster.stage.Sink} (SEDA, "Timers"). One alarm of a
 * {@link io.taskmaster.client.Timer} at a time is set for all of them, so that a test may hand in virtual time.
 */
@NullMarked
package io.taskmaster.stage.time;

import org.jspecify.annotations.NullMarked;
