/** Tests with real processes, which are killed, observed, stopped and started again, from the view of an operator. */
@NullMarked
package io.taskmaster.server.process;

import org.jspecify.annotations.NullMarked;
