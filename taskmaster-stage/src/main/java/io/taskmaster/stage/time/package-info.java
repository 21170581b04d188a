/**
 * Timer events, once or periodic, that go to a {@link io.taskmaster.stage.Sink} (SEDA, "Timers"). A call of a
 * {@link io.taskmaster.client.Timer} is scheduled for the next alarm only, not for each; a test can supply virtual
 * time.
 */
@NullMarked
package io.taskmaster.stage.time;

import org.jspecify.annotations.NullMarked;
