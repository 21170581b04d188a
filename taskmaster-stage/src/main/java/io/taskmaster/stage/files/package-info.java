/**
 * Files as sources and sinks of stages (SEDA, "Asynchronous Disk Layer"): blocking reads and writes by the workers of a local stage, as many as are set or as a
 * controller finds. What came of them are events that go to a {@link io.taskmaster.stage.Sink}.
 */
@NullMarked
package io.taskmaster.stage.files;

import org.jspecify.annotations.NullMarked;
