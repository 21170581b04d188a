/** The bench command: the choice of workloads, the servers and stores that they run against, and the output. */
@NullMarked
package io.taskmaster.bench;

import org.jspecify.annotations.NullMarked;
