/** Credits that bound the events waiting at a stage, and the guard of a stage that is being closed. */
@NullMarked
package io.taskmaster.stage.local.credit;

import org.jspecify.annotations.NullMarked;
