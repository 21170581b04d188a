/** Patterns of queue names: what they match, how much work that is, and which of them are refused. */
@NullMarked
package io.taskmaster.server.engine.pattern;

import org.jspecify.annotations.NullMarked;
