/**
 * Deterministic simulation of the server: one thread, one seed, virtual time. All of it is test code, in these
 * packages:
 *
 * <pre>{@code
 * planted                       bugs planted on purpose, hunted in both kinds of runs
 *    |          |
 * partition    node             the runs: of one partition; of whole nodes, a network and clients of the contract
 *    |          |
 * judge        judge, load, network    checks of histories; requests of clients; transport of messages
 *    |          |
 * store        store            a store that fails in every permitted way
 *    |          |
 *       world                   time, chance, processes, clocks, loops, and the faults of a run
 * }</pre>
 *
 * Each depends only on those below it; {@code store}, {@code judge}, {@code load} and {@code network} depend on
 * {@code world} alone.
 */
@NullMarked
package io.taskmaster.simulation;

import org.jspecify.annotations.NullMarked;
