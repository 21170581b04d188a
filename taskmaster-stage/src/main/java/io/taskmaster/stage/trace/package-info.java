/**
 * The tracing of workers with OpenTelemetry, by its conventions for messaging. This is the only package of the library
 * that refers to OpenTelemetry, which is an optional dependency of the application.
 */
@NullMarked
package io.taskmaster.stage.trace;

import org.jspecify.annotations.NullMarked;
