/**
 * The network between clients and hosts that serve the contract: messages that are slow, lost or duplicated,
 * connections that break, clients that give up. Within the simulation it depends on {@code world} alone.
 */
@NullMarked
package io.taskmaster.simulation.network;

import org.jspecify.annotations.NullMarked;
