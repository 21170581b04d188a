/**
 * Local stages: events go from one to the next in memory (SEDA section 3). A stage is a call of its handler unless it has a
 * {@linkplain io.taskmaster.stage.local.Boundary boundary}: then its events wait in a finite queue, and workers that all stages share take
 * them from there. The way of an event leads from a {@link io.taskmaster.stage.Sink}, which every stage is, through the
 * {@link io.taskmaster.stage.local.Gate}, which lets it in or refuses it, to a {@link io.taskmaster.stage.local.Crew}.
 */
@NullMarked
package io.taskmaster.stage.local;

import org.jspecify.annotations.NullMarked;
