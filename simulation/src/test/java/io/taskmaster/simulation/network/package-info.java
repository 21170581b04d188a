/**
 * What is between clients and whatever serves the contract: messages that are slow, lost or doubled, connections that break,
 * clients that do not wait. Of the simulation it depends on {@code world} alone.
 */
@NullMarked
package io.taskmaster.simulation.network;

import org.jspecify.annotations.NullMarked;
