/** Who asks, what they may do, and the record of what they did: one table for all endpoints of both ports. */
@NullMarked
package io.taskmaster.server.access;

import org.jspecify.annotations.NullMarked;
