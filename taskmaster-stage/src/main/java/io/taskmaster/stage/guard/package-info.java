/**
 * The boundary between a stage and the code of its application: listeners, tracers, rules. Whatever that code throws is
 * logged, at a bounded rate, and the stage goes on.
 */
@NullMarked
package io.taskmaster.stage.guard;

import org.jspecify.annotations.NullMarked;
