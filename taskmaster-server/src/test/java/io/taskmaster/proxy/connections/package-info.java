/** Tests of connections to a whole node. */
@NullMarked
package io.taskmaster.proxy.connections;

import org.jspecify.annotations.NullMarked;
