/** A node as a program: {@link TaskMasterServer} wires it, {@link Nodes} opens its store and its partitions. */
@NullMarked
package io.taskmaster.server;

import org.jspecify.annotations.NullMarked;
