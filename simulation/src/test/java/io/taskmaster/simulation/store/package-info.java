/**
 * A store that does the worst that a store may: delays, reorders, refuses, loses what is not synced, never answers; and, where a rule
 * is taken back, what no store may. Of the simulation it depends on {@code world} alone.
 */
@NullMarked
package io.taskmaster.simulation.store;

import org.jspecify.annotations.NullMarked;
