/**
 * The server in simulated worlds: one thread, one seed, virtual time. All of it is test code, in these packages:
 *
 * <pre>
 * planted               bugs put in on purpose, hunted in both kinds of worlds
 *    |        |
 * partition  node       the worlds: of one partition; of whole nodes, a network and clients of the contract
 *    |        |
 *  judge    judge, load, network      who says what can be; what clients ask; how it gets there
 *    |        |
 *  store    store       a store that fails in every way
 *    |        |
 *     world             time, chance, processes, clocks, loops, and how bad it is
 * </pre>
 *
 * Each depends on those below it only; {@code store}, {@code judge}, {@code load} and {@code network} on {@code world} alone.
 */
@NullMarked
package io.taskmaster.simulation;

import org.jspecify.annotations.NullMarked;
