/** The framework of the demos: their options, their run, and their view of the queues. */
@NullMarked
package io.taskmaster.examples.demo;

import org.jspecify.annotations.NullMarked;
