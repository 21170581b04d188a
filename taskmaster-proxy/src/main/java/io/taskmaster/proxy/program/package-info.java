/** The program as a process: its version and its exit status. */
@NullMarked
package io.taskmaster.proxy.program;

import org.jspecify.annotations.NullMarked;
