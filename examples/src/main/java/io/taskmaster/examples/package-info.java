/** The assembly of the demos: their command line, and the programs that run it. It alone depends on all of them. */
@NullMarked
package io.taskmaster.examples;

import org.jspecify.annotations.NullMarked;
