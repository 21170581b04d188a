/** The pure heart: partition state, and decide and apply over it. Sees no threads, clocks, stores or gRPC. */
@NullMarked
package io.taskmaster.server.engine;

import org.jspecify.annotations.NullMarked;
