/**
 * Workers: what runs the stages of a pipeline on TaskMaster. A task's way leads from {@link io.taskmaster.stage.worker.StageRunner}, which
 * leases it when it has a permit, through an {@link io.taskmaster.stage.worker.Attempt}, where the handler is, to a
 * {@link io.taskmaster.stage.worker.Settlement} and the {@link io.taskmaster.stage.worker.Committer} that sends it.
 */
@NullMarked
package io.taskmaster.stage.worker;

import org.jspecify.annotations.NullMarked;
