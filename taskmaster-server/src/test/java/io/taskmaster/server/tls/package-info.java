/** Tests of the material of TLS. */
@NullMarked
package io.taskmaster.server.tls;

import org.jspecify.annotations.NullMarked;
