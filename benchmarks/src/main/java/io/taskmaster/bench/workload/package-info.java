/** The workloads that load a server, one class per row; each checks the replies it gets. */
@NullMarked
package io.taskmaster.bench.workload;

import org.jspecify.annotations.NullMarked;
