/** Workloads over many queues: a large population, and probes of single queues in it. */
@NullMarked
package io.taskmaster.bench.workload.queues;

import org.jspecify.annotations.NullMarked;
