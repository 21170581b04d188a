/** A node as a program: {@code TaskMasterServer} wires it, {@code Nodes} opens its store and its partitions. */
@NullMarked
package io.taskmaster.server;

import org.jspecify.annotations.NullMarked;
