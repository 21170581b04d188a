/**
 * The trace that a task belongs to, which goes with it from queue to queue in two of its headers, as W3C Trace Context says; and OpenTelemetry's
 * contexts in and out of them, for whoever has OpenTelemetry on the class path.
 */
@NullMarked
package io.taskmaster.trace;

import org.jspecify.annotations.NullMarked;
