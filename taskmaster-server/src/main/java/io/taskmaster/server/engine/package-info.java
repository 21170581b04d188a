/**
 * The pure engine of a partition: its state, the decision on commands, and the application of atoms. Sees no threads,
 * clocks, stores or gRPC.
 */
@NullMarked
package io.taskmaster.server.engine;

import org.jspecify.annotations.NullMarked;
