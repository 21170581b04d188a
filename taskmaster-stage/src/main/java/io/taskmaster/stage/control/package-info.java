/**
 * Controllers: policies by which a stage finds its settings itself (SEDA section 4.2). Each is a pure function of
 * samples of the stage. Nothing here depends on threads or clocks; {@code io.taskmaster.stage.steering} takes the
 * samples and applies the settings.
 */
@NullMarked
package io.taskmaster.stage.control;

import org.jspecify.annotations.NullMarked;
