/** The command line of all demos on the class path, and the programs that run it. */
@NullMarked
package io.taskmaster.examples;

import org.jspecify.annotations.NullMarked;
