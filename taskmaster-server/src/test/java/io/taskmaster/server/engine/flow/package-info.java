/** Tests of families, hand-offs and flow snapshots. */
@NullMarked
package io.taskmaster.server.engine.flow;

import org.jspecify.annotations.NullMarked;
