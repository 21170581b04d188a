/**
 * Local stages: events pass from stage to stage in memory (SEDA section 3).
 *
 * <p>A stage without a {@linkplain io.taskmaster.stage.local.Boundary boundary} is a call of its handler. Behind a
 * boundary events wait in a finite queue, from which workers take them; all stages share the threads of the workers. An
 * event goes from a {@link io.taskmaster.stage.Sink}, which every stage is, through the
 * {@link io.taskmaster.stage.local.AdmissionGate}, which admits or refuses it, to a worker of the
 * {@link io.taskmaster.stage.local.pool.WorkerPool}.
 */
@NullMarked
package io.taskmaster.stage.local;

import org.jspecify.annotations.NullMarked;
