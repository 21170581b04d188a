/** Tests of both ports of a whole server with tokens and TLS, from outside. */
@NullMarked
package io.taskmaster.server.protection;

import org.jspecify.annotations.NullMarked;
