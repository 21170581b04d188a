/**
 * What controllers and their stage have between them, durable or local: it measures what the stage does, shows it to the controllers at even intervals, and sets what they
 * say. What a setting is, and how it comes into force, is the stage's own.
 */
@NullMarked
package io.taskmaster.stage.steering;

import org.jspecify.annotations.NullMarked;
