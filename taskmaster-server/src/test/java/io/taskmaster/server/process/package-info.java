/** Tests with real processes: killed, watched, stopped and started again, as an operator would see them. */
@NullMarked
package io.taskmaster.server.process;

import org.jspecify.annotations.NullMarked;
