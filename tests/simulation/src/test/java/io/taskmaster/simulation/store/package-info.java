/**
 * A store with every failure that a store may have: it delays, reorders, refuses, loses what is not synced, or never
 * answers; and, where a rule is suspended, failures that no store may have. Within the simulation it depends on
 * {@code world} alone.
 */
@NullMarked
package io.taskmaster.simulation.store;

import org.jspecify.annotations.NullMarked;
