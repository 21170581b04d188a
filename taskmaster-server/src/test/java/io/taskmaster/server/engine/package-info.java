/** Tests of the engine: unit tests, and seeded runs that are checked against a naive model after every step. */
@NullMarked
package io.taskmaster.server.engine;

import org.jspecify.annotations.NullMarked;
