/** TLS of both ports: protocols, cipher suites, and certificates that may change while the server runs. */
@NullMarked
package io.taskmaster.proxy.tls;

import org.jspecify.annotations.NullMarked;
