/** A TCP relay between clients and a server, whose connections can be cut, refused, stalled and slowed down. */
@NullMarked
package io.taskmaster.harness.relay;

import org.jspecify.annotations.NullMarked;
