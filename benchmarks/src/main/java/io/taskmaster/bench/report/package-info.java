/** Rows, and their comparison with the limits measured in the same run and the peers measured elsewhere. */
@NullMarked
package io.taskmaster.bench.report;

import org.jspecify.annotations.NullMarked;
