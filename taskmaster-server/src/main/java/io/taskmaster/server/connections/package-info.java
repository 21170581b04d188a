/** Connections of the ports: how many there may be, in all and from one address. */
@NullMarked
package io.taskmaster.server.connections;

import org.jspecify.annotations.NullMarked;
