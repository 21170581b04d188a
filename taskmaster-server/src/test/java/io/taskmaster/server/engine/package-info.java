/** The engine under test: unit tests, and seeded runs that are held against a naive model after every step. */
@NullMarked
package io.taskmaster.server.engine;

import org.jspecify.annotations.NullMarked;
