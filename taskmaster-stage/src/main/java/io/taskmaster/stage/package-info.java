/**
 * Pipelines of stages, as an application writes them: typed queues, handlers that return an outcome, and the settings
 * of each stage. All of it is immutable data and pure functions; {@link io.taskmaster.stage.worker} runs it.
 */
@NullMarked
package io.taskmaster.stage;

import org.jspecify.annotations.NullMarked;
