/**
 * Files as sources and sinks of stages (SEDA, "Asynchronous Disk Layer"): blocking reads and writes by the workers of a
 * local stage, whose number is fixed or set by a controller. Their results are events that go to a
 * {@link io.taskmaster.stage.Sink}.
 */
@NullMarked
package io.taskmaster.stage.files;

import org.jspecify.annotations.NullMarked;
