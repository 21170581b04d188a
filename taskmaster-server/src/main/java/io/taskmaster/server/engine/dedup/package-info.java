/** The dedup window: the updates with a request id that were committed lately, compact and complete. */
@NullMarked
package io.taskmaster.server.engine.dedup;

import org.jspecify.annotations.NullMarked;
