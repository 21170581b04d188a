/** What is put under load: a server elsewhere, a server of our own in a child process, the echo service. */
@NullMarked
package io.taskmaster.bench.target;

import org.jspecify.annotations.NullMarked;
