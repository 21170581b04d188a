/** A real server under more load than its store can take, and the load generator that no server can slow down. */
@NullMarked
package io.taskmaster.server.overload;

import org.jspecify.annotations.NullMarked;
