/** What all demos have in common: their options, their run, and the command that brings them together. */
@NullMarked
package io.taskmaster.examples.demo;

import org.jspecify.annotations.NullMarked;
