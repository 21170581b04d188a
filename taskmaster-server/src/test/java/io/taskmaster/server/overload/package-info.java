/**
 * Tests of a real server under more load than its store can take, with a load generator that the server cannot slow
 * down.
 */
@NullMarked
package io.taskmaster.server.overload;

import org.jspecify.annotations.NullMarked;
