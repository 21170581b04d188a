/**
 * The claim on a store that several nodes can reach: one node has all of it, and says so in a cell that it renews at
 * every beat. The claim keeps nodes from deposing each other for ever. Safety does not depend on it: the fencing of
 * every partition ({@code partition.log}) does that.
 */
@NullMarked
package io.taskmaster.server.partition.claim;

import org.jspecify.annotations.NullMarked;
