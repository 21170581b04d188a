/**
 * What workers do, as spans of OpenTelemetry, by its conventions for messaging. The only room of the library that knows OpenTelemetry, which an
 * application brings along or leaves.
 */
@NullMarked
package io.taskmaster.stage.trace;

import org.jspecify.annotations.NullMarked;
