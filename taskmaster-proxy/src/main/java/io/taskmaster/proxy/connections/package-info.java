/** Limits on the connections of the ports, in total and per address. */
@NullMarked
package io.taskmaster.proxy.connections;

import org.jspecify.annotations.NullMarked;
