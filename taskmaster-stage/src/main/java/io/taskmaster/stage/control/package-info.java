/**
 * How a stage finds its settings by itself (SEDA section 4.2): policies, each a pure function of what the stage did in an interval. Nothing here
 * knows a thread or a clock; what measures the stage and does as the policy says is with the stage.
 */
@NullMarked
package io.taskmaster.stage.control;

import org.jspecify.annotations.NullMarked;
