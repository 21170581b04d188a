/** Patterns of queue names: matching, its cost, and the patterns that are refused. */
@NullMarked
package io.taskmaster.command.pattern;

import org.jspecify.annotations.NullMarked;
