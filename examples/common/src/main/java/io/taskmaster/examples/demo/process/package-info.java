/** The processes of a demo: their start, restart and end, and their code inside the child. */
@NullMarked
package io.taskmaster.examples.demo.process;

import org.jspecify.annotations.NullMarked;
