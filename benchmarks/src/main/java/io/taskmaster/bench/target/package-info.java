/** The targets of a load: a server elsewhere, a server in a child process, the echo service. */
@NullMarked
package io.taskmaster.bench.target;

import org.jspecify.annotations.NullMarked;
