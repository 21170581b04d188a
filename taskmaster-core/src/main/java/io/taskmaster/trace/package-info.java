/**
 * The trace of a task, which two of its headers carry from queue to queue in the form of W3C Trace Context; and the
 * conversion of OpenTelemetry's contexts to these headers and back, for applications with OpenTelemetry on the class
 * path.
 */
@NullMarked
package io.taskmaster.trace;

import org.jspecify.annotations.NullMarked;
