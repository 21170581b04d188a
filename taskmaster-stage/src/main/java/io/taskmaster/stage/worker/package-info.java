/**
 * The workers that run the stages of a pipeline on TaskMaster. {@link io.taskmaster.stage.worker.StageRunner} leases a
 * task when it has a permit. An {@link io.taskmaster.stage.worker.task.Attempt} passes the task to the handler. The
 * outcome becomes a {@link io.taskmaster.stage.worker.Settlement}, and the {@link io.taskmaster.stage.worker.Committer}
 * sends it to the server.
 */
@NullMarked
package io.taskmaster.stage.worker;

import org.jspecify.annotations.NullMarked;
