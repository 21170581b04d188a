/** Patterns of queue names: matching, its cost, and the patterns that are refused. */
@NullMarked
package io.taskmaster.server.engine.pattern;

import org.jspecify.annotations.NullMarked;
