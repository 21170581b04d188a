/** Tests of what TLS is spoken with. */
@NullMarked
package io.taskmaster.server.tls;

import org.jspecify.annotations.NullMarked;
