/** Rows, and what they are held against: the limits measured in the same run and the peers measured elsewhere. */
@NullMarked
package io.taskmaster.bench.report;

import org.jspecify.annotations.NullMarked;
