/**
 * Pipelines of stages, as an application writes them: queues with a type, handlers that answer with an outcome, and the settings of each
 * stage. All of it is immutable data and pure functions; {@link io.taskmaster.stage.worker} runs it.
 */
@NullMarked
package io.taskmaster.stage;

import org.jspecify.annotations.NullMarked;
