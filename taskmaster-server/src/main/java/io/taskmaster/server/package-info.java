/** A node as a program: one class wires it, and one says how it starts. */
@NullMarked
package io.taskmaster.server;

import org.jspecify.annotations.NullMarked;
