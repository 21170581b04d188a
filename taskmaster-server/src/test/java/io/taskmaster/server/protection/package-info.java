/** Both ports of a whole server with tokens and TLS, from without. */
@NullMarked
package io.taskmaster.server.protection;

import org.jspecify.annotations.NullMarked;
