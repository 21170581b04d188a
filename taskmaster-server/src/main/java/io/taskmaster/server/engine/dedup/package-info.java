/** The requests that were done already, by their ids, for a while: compact, and complete. */
@NullMarked
package io.taskmaster.server.engine.dedup;

import org.jspecify.annotations.NullMarked;
