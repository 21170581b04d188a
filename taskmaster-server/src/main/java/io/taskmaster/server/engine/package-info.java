/**
 * The engine of a partition: pure functions over its state. It sees no threads, clocks, stores or gRPC; time is an
 * argument. Its packages, from the bottom up:
 *
 * <ul>
 *   <li>{@code dedup}, {@code flow}: parts of the state that stand for themselves;
 *   <li>{@code command}: decisions on commands, and the atoms that they are put into effect by;
 *   <li>{@code state}: what a partition knows of its queues and tasks, which an atom alone changes;
 *   <li>{@code select}: the queues that a selector chooses, and the order in which leases take from them;
 *   <li>{@code index}: the busiest queues, the oldest tasks, and queues that no worker leases from;
 *   <li>{@code decide}: the decision on each command;
 *   <li>{@code rank}: scans over queues, for pages of them in some order and for the busiest ones.
 * </ul>
 *
 * No package depends on one above it.
 */
package io.taskmaster.server.engine;
