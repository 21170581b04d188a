/** A lone worker beside clients that load the server: how far one caller is isolated from others (figure 6b). */
@NullMarked
package io.taskmaster.bench.workload.isolation;

import org.jspecify.annotations.NullMarked;
