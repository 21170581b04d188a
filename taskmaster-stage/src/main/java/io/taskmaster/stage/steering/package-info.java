/**
 * The loop between controllers and their stage, durable or local: it measures the stage, shows samples to the
 * controllers at even intervals, and applies their settings. The meaning of a setting, and the way it comes into force,
 * are up to the stage.
 */
@NullMarked
package io.taskmaster.stage.steering;

import org.jspecify.annotations.NullMarked;
