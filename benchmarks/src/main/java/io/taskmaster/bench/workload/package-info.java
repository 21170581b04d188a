/** What is asked of the server, one class per row, each checking the answers it gets. */
@NullMarked
package io.taskmaster.bench.workload;

import org.jspecify.annotations.NullMarked;
