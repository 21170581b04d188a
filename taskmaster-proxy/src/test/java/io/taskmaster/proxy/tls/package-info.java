/** Tests of the material of TLS. */
@NullMarked
package io.taskmaster.proxy.tls;

import org.jspecify.annotations.NullMarked;
