/**
 * Whose a store is that several nodes can reach: one node has all of it, says so in a cell, and beats there like a heart. The claim keeps
 * nodes from deposing each other for ever; what keeps them from harming each other is the fencing of every partition ({@code partition.log}).
 */
@NullMarked
package io.taskmaster.server.partition.claim;

import org.jspecify.annotations.NullMarked;
