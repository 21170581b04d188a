/**
 * A world in one thread and one seed: owners of one partition on a faulty store in virtual time, clients that talk to any of them,
 * and a judge who holds every answer to the {@linkplain io.taskmaster.server.engine.naive naive model}.
 */
@NullMarked
package io.taskmaster.simulation;

import org.jspecify.annotations.NullMarked;
