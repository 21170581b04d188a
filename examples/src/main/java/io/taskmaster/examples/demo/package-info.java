/** The common parts of all demos: their options, their run, and the command that combines them. */
@NullMarked
package io.taskmaster.examples.demo;

import org.jspecify.annotations.NullMarked;
